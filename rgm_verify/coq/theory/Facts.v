(* Facts: formulas whose relations compare a polynomial with 0, and what follows from them by arithmetic. *)
From Rgm Require Export Norm.

(* A disjunction of a, b, c is FOr a (FOr b (FOr c FFalse)), so that nested ones keep their places. *)
Inductive form := FRel (o : op) (p : poly) | FAnd (f g : form) | FOr (f g : form) | FTrue | FFalse.
Definition oeqb (a b : op) : bool := match a, b with GE, GE | GT, GT | EQ, EQ | NE, NE => true | _, _ => false end.
Fixpoint feqb (f g : form) : bool :=
  match f, g with
  | FRel a p, FRel b q => if oeqb a b then peqb p q else false
  | FAnd a b, FAnd c d | FOr a b, FOr c d => if feqb a c then feqb b d else false
  | FTrue, FTrue | FFalse, FFalse => true
  | _, _ => false
  end.
Lemma feqb_eq f : forall g, feqb f g = true -> f = g.
Proof.
  induction f; intros []; simpl; try discriminate; auto.
  - destruct o, o0; simpl; try discriminate; intros H; apply peqb_eq in H; congruence.
  - destruct (feqb f1 f) eqn:E; [|discriminate]. intros; rewrite (IHf1 _ E), (IHf2 g); auto.
  - destruct (feqb f1 f) eqn:E; [|discriminate]. intros; rewrite (IHf1 _ E), (IHf2 g); auto.
Qed.

Definition says (o : op) (x : R) : Prop := match o with GE => 0 <= x | GT => 0 < x | EQ => x = 0 | NE => x <> 0 end.
Definition qsign (o : op) (c : Q) : bool :=
  match o, Qnum c with
  | GE, Zneg _ => false | GE, _ => true | GT, Zpos _ => true | GT, _ => false
  | EQ, Z0 => true | EQ, _ => false | NE, Z0 => false | NE, _ => true
  end.
Lemma qsign_ok o c : if qsign o c then says o (Q2R c) else ~ says o (Q2R c).
Proof.
  destruct c as [n d]. unfold Q2R; simpl. 
  assert (D : 0 < / IZR (Zpos d)) by (apply Rinv_0_lt_compat, (IZR_lt 0); lia).
  assert (P : forall p, 0 < IZR (Zpos p)) by (intros; apply (IZR_lt 0); lia).
  assert (N : forall p, IZR (Zneg p) < 0) by (intros; apply (IZR_lt _ 0); lia).
  destruct n as [|n|n]; [replace (0 * / IZR (Zpos d)) with 0 by ring| |];
  [| pose proof (Rmult_lt_0_compat _ _ (P n) D) | pose proof (Rmult_lt_0_compat _ _ (Ropp_0_gt_lt_contravar _ (N
    n)) D)];
  destruct o; simpl; unfold qsign; simpl; lra.
Qed.

Fixpoint neg (f : form) : form :=
  match f with
  | FRel EQ p => FRel NE p | FRel NE p => FRel EQ p | FRel GE p => FRel GT (pneg p) | FRel GT p => FRel GE (pneg p)
  | FAnd f g => FOr (neg f) (neg g) | FOr f g => FAnd (neg f) (neg g) | FTrue => FFalse | FFalse => FTrue
  end.

(* A fact implies a goal, up to a factor and to a weaker relation. *)
Definition weaker (positive : bool) (a b : op) : bool :=
  match positive, a, b with
  | true, GT, (GT | GE | NE) | true, GE, GE | _, EQ, (EQ | GE) | _, NE, NE | false, GT, NE => true
  | _, _, _ => false
  end.
Definition rimp (a : op) (p : poly) (b : op) (q : poly) : bool :=
  match p, q with
  | (_, c) :: _, (_, d) :: _ =>
    if qz c then false else
    let r := Qred (d * / c) in
    if qz r then false else if weaker (Z.ltb 0 (Qnum r)) a b then peqb q (pscale r p) else false
  | [], [] => oeqb a b
  | _, _ => false
  end.
Definition constant (o : op) (p : poly) : option bool :=
  match p with [] => Some (qsign o 0) | [([], c)] => Some (qsign o c) | _ => None end.
Definition absurd (f : form) : bool :=
  match f with FFalse => true | FRel o p => match constant o p with Some b => negb b | None => false end | _ =>
    false end.
Fixpoint implies (f g : form) : bool :=
  match f, g with
  | FRel a p, FRel b q => rimp a p b q
  | _, _ => if feqb f g then true else match g with FTrue => true
    | FOr x y => if implies f x then true else implies f y | _ => false end
  end.

(* Formulas of statements. *)
Section Table.
Variable tbl : table.
Local Notation ix := (isexp tbl).
Local Notation mul := (pmul ix).
Local Notation nf := (norm tbl).

Definition diff (a b : tree) : option poly := p <- nf a ;; q <- nf b ;; Some (psub p q).
Definition opof (c : cmp) : op := match c with Le | Ge => GE | Lt | Gt => GT | Eq => EQ | Ne => NE end.
Definition or1 (f : form) : form := FOr f FFalse.
Fixpoint tf (f : tform) : option form :=
  match f with
  | TRel c a b => p <- match c with Le | Lt => diff b a | _ => diff a b end ;; Some (FRel (opof c) p)
  | TAnd f g => a <- tf f ;; b <- tf g ;; Some (FAnd a (match g with TAnd _ _ => b | _ => FAnd b FTrue end))
  | TOr f g => a <- tf f ;; b <- tf g ;; Some (FOr a (match g with TOr _ _ => b | _ => or1 b end))
  | TImp f g => a <- tf f ;; b <- tf g ;; Some (FOr (neg a) (or1 b))
  | TIff f g => a <- tf f ;; b <- tf g ;; Some (FAnd (FOr (neg a) (or1 b)) (FAnd (FOr a (or1 (neg b))) FTrue))
  end.
Fixpoint tfs (l : list tform) : option (list form) :=
  match l with [] => Some [] | f :: l' => a <- tf f ;; r <- tfs l' ;; Some (a :: r) end.

Fixpoint assume (facts : list form) (f : form) : list form :=
  match f with FTrue => facts | FAnd a b => assume (assume facts a) b | _ => f :: facts end.
Definition assumes (l : list form) (facts : list form) : list form := fold_left assume l facts.

Fixpoint evident (facts : list form) (f : form) : bool :=
  match f with
  | FRel o p => match constant o p with Some b => b | None => existsb (fun k => implies k f) facts end
  | FAnd a b => if existsb (fun k => implies k f) facts then true else if evident facts a then evident facts b else
    false
  | FOr a b => if existsb (fun k => implies k f) facts then true else if evident facts a then true else evident
    facts b
  | FTrue => true
  | FFalse => existsb (fun k => implies k f) facts
  end.
Definition conj (l : list form) : form := match l with [f] => f | _ => fold_right FAnd FTrue l end.
Definition open (facts : list form) (l : list form) : form := conj (filter (fun f => negb (evident facts f)) l).

(* Facts are numbered from the first one; another number is refused, as the kernel refuses it. *)
Definition fact (facts : list form) (i : nat) : option form :=
  let n := length facts in if Nat.ltb i n then nth_error facts (n - S i) else None.
Definition holdsf (facts : list form) (i : option nat) (o : op) (p : poly) : bool :=
  match i with
  | None => match constant o p with Some b => b | None => existsb (fun k => implies k (FRel o p)) facts end
  | Some i => match fact facts i with Some f => implies f (FRel o p) | None => false end
  end.

(* Sums. *)
Fixpoint product (facts : list form) (refs : list nat) : option (bool * poly) :=
  match refs with
  | [] => Some (true, pconst 1)
  | i :: refs' =>
    r <- product facts refs' ;;
    match fact facts i, r with
    | Some (FRel GT p), (s, q) => Some (s, mul p q)
    | Some (FRel GE p), (s, q) | Some (FRel EQ p), (s, q) => Some (false, mul p q)
    | _, _ => None
    end
  end.
Fixpoint squares (l : list poly) (p : poly) : poly := match l with [] => p | q :: l' => squares l' (mul (mul q q)
  p) end.
Fixpoint sum (facts : list form) (l : list (Q * list nat * list poly)) : option (bool * poly) :=
  match l with
  | [] => Some (false, [])
  | (c, refs, sq) :: l' =>
    r <- sum facts l' ;; p <- product facts refs ;;
    guard qsign GE c ;;
    let strict := if qsign GT c then match sq with [] => fst p | _ => false end else false in
    Some (if strict then true else fst r, padd (squares sq (pscale c (snd p))) (snd r))
  end.
Fixpoint multiples (facts : list form) (l : list (nat * poly)) : option poly :=
  match l with
  | [] => Some []
  | (i, q) :: l' =>
    r <- multiples facts l' ;; match fact facts i with Some (FRel EQ p) => Some (padd (mul p q) r) | _ => None end
  end.
Definition summed facts l k : option form :=
  a <- sum facts l ;; b <- multiples facts k ;;
  Some (FRel (match l with [] => EQ | _ => if fst a then GT else GE end) (padd (snd a) b)).

(* Clearing a denominator q whose reciprocal is f * m. *)
Fixpoint clears (q : poly) (m : mono) (c : Q) (p : poly) : poly :=
  match p with
  | [] => []
  | (n, d) :: p' =>
    let rest := mdivide n m in
    let t := if meqb (mmul ix m rest) n then [(rest, Qred (d * c))] else pterm ix n d q in
    padd t (clears q m c p')
  end.
Definition cleared (facts : list form) (f : form) (q : poly) (i : option nat) : option form :=
  match f with
  | FRel o p =>
    guard holdsf facts i (match o with EQ | NE => NE | _ => GT end) q ;;
    inv <- pinv tbl q ;;
    match inv with [(m, c)] => guard negb (qz c) ;; Some (FRel o (clears q m (Qred (/ c)) p)) | _ => None end
  | _ => None
  end.

End Table.
