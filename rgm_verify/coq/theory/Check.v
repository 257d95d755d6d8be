(* The checker: the facts that a rule gives, and proofs. *)
From Rgm Require Export Slopes.
From Rgm Require Export Facts.

Fixpoint atoms_of (p : poly) : list positive := match p with [] => [] | (m, _) :: p' => map fst m ++ atoms_of p' end.
Definition refs (d : adef) : list positive :=
  match d with
  | DVar _ | DPi => [] | DInv p | DRoot _ p | DExp p | DLog p | DErf p => atoms_of p
  | DMax p q | DPower p q => atoms_of p ++ atoms_of q
  end.
Definition mem (a : positive) (l : list positive) : bool := existsb (Pos.eqb a) l.

(* The atoms that depend on a variable, and what mentions none of them. *)
Fixpoint depending (w : positive) (t : table) (found : list positive) : list positive :=
  match t with
  | [] => found
  | (i, d) :: t' =>
    let hit := match d with DVar y => Pos.eqb y w | _ => existsb (fun a => mem a found) (refs d) end in
    depending w t' (if hit then i :: found else found)
  end.
Fixpoint without (l : list positive) (f : form) : bool :=
  match f with
  | FRel _ p => forallb (fun a => negb (mem a l)) (atoms_of p)
  | FAnd f g | FOr f g => if without l f then without l g else false
  | FTrue | FFalse => true
  end.

Section Table.
Variable tbl : table.
Local Notation ix := (isexp tbl).
Local Notation mul := (pmul ix).

(* Rules. *)
Definition fands := fold_right FAnd FTrue.
Definition fors := fold_right FOr FFalse.
Fixpoint logs (facts : list form) (l : list (Z * poly * option nat)) : option (poly * poly * poly) :=
  match l with
  | [] => Some (pconst 1, pconst 1, [])
  | (r, f, i) :: l' =>
    s <- logs facts l' ;; guard holdsf facts i GT f ;; g <- plog tbl f ;;
    let '(down, up, total) := s in
    match r with
    | Z0 => None
    | Zpos n => Some (down, mul (ppow ix f (Pos.to_nat n)) up, padd (pscale (r # 1) g) total)
    | Zneg n => Some (mul (ppow ix f (Pos.to_nat n)) down, up, padd (pscale (r # 1) g) total)
    end
  end.
Definition one := pconst 1.
Definition apply (facts : list form) (r : rule) : option form :=
  match r with
  | RSign p => Some (fors [FRel GT p; FRel EQ p; FRel GT (pneg p)])
  | RInv p i =>
    guard holdsf facts i NE p ;; q <- pinv tbl p ;;
    Some (fands [FRel EQ (psub (mul p q) one); if holdsf facts i GT p then FRel GT q else FTrue])
  | RRoot n p i =>
    guard holdsf facts i GE p ;; r <- atom tbl (DRoot n p) ;;
    Some (fands [FRel EQ (psub (ppow ix r (Pos.to_nat n)) p); FRel (if holdsf facts i GT p then GT else GE) r])
  | RExp p => e <- pexp tbl p ;; Some (fands [FRel GT e; FRel GE (psub e (padd one p))])
  | RLog p i =>
    guard holdsf facts i GT p ;; l <- plog tbl p ;; e <- pexp tbl l ;;
    let less := psub p one in
    Some (fands [FRel GE (psub less l); FRel GE (psub (mul p l) less); FRel EQ (psub e p)])
  | RLogExp p => e <- pexp tbl p ;; l <- plog tbl e ;; Some (FRel EQ (psub l p))
  | RLogProduct l i =>
    s <- logs facts l ;; let '(down, up, total) := s in
    guard holdsf facts i EQ (psub down up) ;; Some (FRel EQ total)
  | RPow x y i =>
    guard holdsf facts i GT x ;; a <- atom tbl (DPower x y) ;; l <- plog tbl x ;; e <- pexp tbl (mul y l) ;;
    Some (fands [FRel EQ (psub a e); FRel GT a])
  | RMax p q =>
    a <- pmax tbl p q ;;
    Some (fands [FRel GE (psub a p); FRel GE (psub a q); fors [FRel EQ (psub a p); FRel EQ (psub a q)]])
  end.

(* Another statement at values of its variables. *)
Fixpoint image (l : list (positive * tree)) (x : positive) : tree :=
  match l with [] => TZ 0 | (y, t) :: l' => if Pos.eqb x y then t else image l' x end.
Definition obligations (im : positive -> tree) (r : tform) : list tform := needsf (substf im r) ++ [substf im r].
Definition instance (im : list (positive * tree)) (s : statement) : list tform :=
  flat_map (fun x => needs (image im (fst x)) ++ flat_map (obligations (image im)) (snd (snd x))) (vars s)
  ++ flat_map (obligations (image im)) (hyps s).
Variable ints : list positive.
Fixpoint is_whole (t : tree) : bool :=
  match t with
  | TV x => existsb (Pos.eqb x) ints | TZ _ => true
  | TOpp a => is_whole a
  | TAdd a b | TSub a b | TMul a b | TMax a b => if is_whole a then is_whole b else false
  | _ => false
  end.
(* Only variables of the statement have values, and integers have values that are integers by their form. *)
Definition fits (im : list (positive * tree)) (s : statement) : bool :=
  match slopes s with _ :: _ => false | [] =>
    if forallb (fun y => existsb (Pos.eqb (fst y)) (map fst (vars s))) im
    then forallb (fun x => if fst (snd x) : bool then is_whole (image im (fst x)) else true) (vars s) else false
  end.
Definition closed (s : statement) : bool :=
  match exists_one s, vars s, hyps s, slopes s with false, [], [], [] => true | _, _, _, _ => false end.
Variable premises : list statement.

Fixpoint choose (f : form) (n : nat) : form :=
  match n, f with O, FOr a _ => a | S n, FOr _ b => choose b n | _, _ => f end.
Definition is_contradiction facts f j := match fact facts j with Some g => implies f (neg g) | None => false end.

(* The mean value theorem: what says that the ends are apart, that the point is between, that f is smooth there, and the
   equation f(high) - f(low) = f'(w) (high - low). *)
Definition mean_value (f : tree) (x : positive) (low high : tree) (up : bool) (w : positive) :
    option (poly * (poly * poly) * list form * poly) :=
  let first := if up then low else high in
  let last := if up then high else low in
  let point := at_ x (TV w) in
  guard smoothable x f ;;
  guard negb (if Pos.eqb x w then true else if free w f then true else if free w low then true else free w high) ;;
  apart <- diff tbl last first ;; below <- diff tbl (TV w) first ;; above <- diff tbl last (TV w) ;;
  conditions <- tfs tbl (map (substf point) (smooth x f)) ;;
  gap <- diff tbl (subst (at_ x high) f) (subst (at_ x low) f) ;;
  rate <- norm tbl (subst point (slope x f)) ;; way <- diff tbl high low ;;
  Some (apart, (below, above), conditions, psub gap (mul rate way)).

(* With Some f for `alt`, the proof goes through the alternatives of f. *)
Fixpoint check (alt : option form) (facts : list form) (goal : form) (p : proof) {struct p} : bool :=
  match alt, p with
  | Some (FOr a b), PCase p l => if check None (assume facts a) goal p then check (Some b) facts goal l else false
  | Some FFalse, PDone => true
  | Some _, _ => false
  | None, PDone => match goal with FTrue => true | _ => false end
  | None, PEnd i =>
    match fact facts i with Some f => if absurd f then true else implies f goal | None => false end
  | None, PEnd2 i j =>
    match fact facts i with Some f => if absurd f then true else is_contradiction facts f j | None => false end
  | None, PCases i l => match fact facts i with Some f => check (Some f) facts goal l | None => false end
  | None, PEach p q =>
    match goal with
    | FAnd a b => if check None facts a p then check None (assume facts a) b q else false
    | _ => false
    end
  | None, PSuppose p => check None (assume facts (neg goal)) FFalse p
  | None, PChoose n p => check None facts (choose goal n) p
  | None, PClearGoal q i p =>
    match cleared tbl facts goal q i with Some g => check None facts g p | None => false end
  | None, PSum l k p =>
    match summed tbl facts l k with Some f => check None (assume facts f) goal p | None => false end
  | None, PClear j q i p =>
    match fact facts j with
    | Some f =>
      match cleared tbl facts f q i with Some g => check None (assume facts g) goal p | None => false end
    | None => false
    end
  | None, PHave o q p1 p2 =>
    if check None facts (FRel o q) p1 then check None (assume facts (FRel o q)) goal p2 else false
  | None, PUse k im p1 p2 =>
    match nth_error premises k with
    | Some s =>
      if if exists_one s then false else fits im s then
        match tfs tbl (instance im s), tfs tbl (obligations (image im) (concl s)) with
        | Some l, Some c =>
          if check None facts (open facts l) p1 then check None (assumes c facts) goal p2 else false
        | _, _ => false
        end
      else false
    | None => false
    end
  | None, PNumber k p =>
    match nth_error premises k with
    | Some s =>
      if closed s then
        match tf tbl (concl s) with Some f => check None (assume facts f) goal p | None => false end
      else false
    | None => false
    end
  | None, PMean f x low high i w p1 p2 =>
    let up := match diff tbl high low with Some way => holdsf facts i GT way | None => false end in
    match mean_value f x low high up w with
    | Some (apart, (below, above), conditions, equation) =>
      let old := depending w tbl [] in
      if if existsb (Pos.eqb w) ints then false else if holdsf facts i GT apart then
        if without old goal then forallb (without old) facts else false else false then
        let near := FRel GE above :: FRel GE below :: facts in
        if check None near (open near conditions) p1 then
          check None (FRel GT above :: FRel GT below :: FRel EQ equation :: facts) goal p2
        else false
      else false
    | None => false
    end
  | None, PEqual f x l r i p =>
    match diff tbl l r, diff tbl (subst (at_ x l) f) (subst (at_ x r) f) with
    | Some d, Some e => if holdsf facts i EQ d then check None (FRel EQ e :: facts) goal p else false
    | _, _ => false
    end
  | None, PRule r p =>
    match apply facts r with Some f => check None (assume facts f) goal p | None => false end
  | _, _ => false
  end.
End Table.

Fixpoint wf (seen : list positive) (t : table) : bool :=
  match t with
  | [] => true
  | (i, d) :: t' => if mem i seen then false else if forallb (fun a => mem a seen) (refs d) then wf (i :: seen) t'
    else false
  end.
Definition integers (s : statement) : list positive := flat_map (fun x => if fst (snd x) : bool then [fst x] else
  []) (vars s).
(* Of a statement with derivatives all follows from what was proved, which is its conclusion with the slopes. *)
Definition follows (t : table) (s : statement) (facts : list form) (c : form) : bool :=
  if all_smoothable (slopes s) then
    match tfs t (resolve (slopes s) (stated s)) with
    | Some r => if feqb c (last r FTrue) then forallb (evident facts) r else false | None => false
    end
  else false.
(* The witness is for a statement that something exists: values of its variables, without variables. *)
Definition check_document (prem : list statement) (t : table) (s : statement) (witness : list (positive * tree))
    (formulas : option (list tform * tform)) (p : proof) : bool :=
  if wf [] t then
    if exists_one s then
      match tfs t (instance witness s ++ obligations (image witness) (concl s)) with
      | Some l => if fits [] witness s then check t [] prem None [] (open [] l) p else false
      | None => false
      end
    else
      let '(needed, stated) := match formulas with Some g => g | None => (needsf (concl s), concl s) end in
      match tfs t (flat_map granted (given s)), tfs t needed, tf t stated with
      | Some l, Some n, Some c =>
        let facts := assumes l [] in
        if check t (integers s) prem None facts (conj (filter (fun f => negb (evident facts f)) n ++ [c])) p then
          match formulas, slopes s with
          | None, [] => true | None, _ => false | Some _, _ => follows t s (assumes (n ++ [c]) facts) c
          end
        else false
      | _, _, _ => false
      end
  else false.
