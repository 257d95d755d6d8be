(* Trees as polynomials over a table of atoms. *)
From Rgm Require Export Poly.

Definition deqb (d e : adef) : bool :=
  match d, e with
  | DVar x, DVar y => Pos.eqb x y | DPi, DPi => true
  | DInv p, DInv q | DExp p, DExp q | DLog p, DLog q | DErf p, DErf q => peqb p q
  | DRoot a p, DRoot b q => if Pos.eqb a b then peqb p q else false
  | DMax a b, DMax p q | DPower a b, DPower p q => if peqb a p then peqb b q else false
  | _, _ => false
  end.
Lemma deqb_eq d e : deqb d e = true -> d = e.
Proof.
  destruct d, e; simpl; try discriminate; auto; intros H;
  repeat match type of H with (if ?b then _ else _) = true => destruct b eqn:?; try discriminate end;
  repeat match goal with
  | K : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in K; subst
  | K : peqb _ _ = true |- _ => apply peqb_eq in K; subst end; reflexivity.
Qed.

Fixpoint find (t : table) (d : adef) : option positive :=
  match t with [] => None | (i, e) :: t' => if deqb e d then Some i else find t' d end.
Fixpoint get (t : table) (a : positive) : option adef :=
  match t with [] => None | (i, e) :: t' => if Pos.eqb i a then Some e else get t' a end.

Notation "x <- e ;; f" := (match e with Some x => f | None => None end) (at level 60, e at next level, right
  associativity).
Notation "'guard' b ;; f" := (if b then f else None) (at level 60, b at next level, right associativity).

Lemma some_inj {A} {a b : A} : Some a = Some b -> b = a.
Proof. congruence. Qed.
Section Table.
Variable tbl : table.
Definition isexp (a : positive) : bool := match get tbl a with Some (DExp _) => true | _ => false end.
Local Notation mul := (pmul isexp).
Local Notation pow := (ppow isexp).

Definition pvar (a : positive) : poly := [([(a, 1%Z)], 1%Q)].
Definition atom (d : adef) : option poly := a <- find tbl d ;; Some (pvar a).

(* 1/p: what all terms share, a number, and an atom for the rest. *)
Fixpoint common (m n : mono) : mono :=
  match m with
  | [] => []
  | (a, e) :: m' =>
    let f := (fix at_ (n : mono) := match n with [] => 0%Z | (b, f) :: n' => if Pos.eqb a b then f else at_ n' end)
      n in
    match Z.min e f with Z0 => common m' n | s => (a, s) :: common m' n end
  end.
Definition minv (m : mono) : mono := map (fun '(a, e) => (a, (- e)%Z)) m.
(* A guess, which is checked by multiplication. *)
Definition mdivide (m s : mono) : mono := mmul (fun _ => true) m (minv s).
Fixpoint divide (s : mono) (p : poly) : option poly :=
  match p with
  | [] => Some []
  | (m, c) :: p' =>
    let n := mdivide m s in
    guard meqb (mmul isexp n s) m ;; r <- divide s p' ;; Some ((n, c) :: r)
  end.
(* Python's order of monomials, for the choice of the coefficient to divide by. *)
Fixpoint before (m n : mono) : bool :=
  match m, n with
  | [], [] => false | [], _ => true | _, [] => false
  | (a, e) :: m', (b, f) :: n' =>
    match Pos.compare a b with Datatypes.Lt => true | Datatypes.Gt => false | Datatypes.Eq =>
      match Z.compare e f with Datatypes.Lt => true | Datatypes.Gt => false | Datatypes.Eq => before m' n' end end
  end.
Fixpoint leading (best : mono * Q) (p : poly) : mono * Q :=
  match p with [] => best | t :: p' => leading (if before (fst best) (fst t) then t else best) p' end.

Fixpoint recips (s : mono) : option poly :=
  match s with
  | [] => Some (pconst 1)
  | (a, e) :: s' =>
    r <- recips s' ;;
    match get tbl a, e with
    | Some (DExp _), _ => Some (mul [([(a, (- e)%Z)], 1%Q)] r)
    | Some (DInv q), Zpos n => Some (mul (pow q (Pos.to_nat n)) r)
    | _, Zpos n => i <- atom (DInv (pvar a)) ;; Some (mul (pow i (Pos.to_nat n)) r)
    | _, _ => None
    end
  end.
Definition pinv (p : poly) : option poly :=
  match p with
  | [] => Some []
  | (m, c) :: p' =>
    let s := fold_left (fun s t => common s (fst t)) p' m in
    rest <- divide s p ;; r <- recips s ;;
    let l := snd (leading (m, c) []) in
    match rest with
    | [] => None
    | t :: rest' =>
      let l := snd (leading t rest') in
      guard negb (qz l) ;;
      let k := Qred (/ l) in
      match rest with
      | [([], _)] => Some (pscale k r)
      | _ => i <- atom (DInv (pscale k rest)) ;; Some (pscale k (mul r i))
      end
    end
  end.

Fixpoint pexp (p : poly) : option poly :=
  match p with
  | [] => Some (pconst 1)
  | (m, c) :: p' =>
    r <- pexp p' ;; a <- find tbl (DExp [(m, 1 # Qden c)]) ;; Some (mul [([(a, Qnum c)], 1%Q)] r)
  end.
Definition plog (p : poly) : option poly := if peqb p [([], 1%Q)] then Some [] else atom (DLog p).
Definition pmax (p q : poly) : option poly := match atom (DMax p q) with Some a => Some a | None => atom (DMax q p)
  end.

Fixpoint norm (t : tree) : option poly :=
  match t with
  | TV x => atom (DVar x) | TZ z => Some (pconst (z # 1)) | TF p q => Some (pconst (Qred (p # q))) | TPi => atom DPi
  | TAdd a b => p <- norm a ;; q <- norm b ;; Some (padd p q)
  | TSub a b => p <- norm a ;; q <- norm b ;; Some (psub p q)
  | TOpp a => p <- norm a ;; Some (pneg p)
  | TMul a b => p <- norm a ;; q <- norm b ;; Some (mul p q)
  | TPow a Z0 | TPower _ a (TZ Z0) => Some (pconst 1)
  | TPow a (Zpos n) | TPower _ a (TZ (Zpos n)) => p <- norm a ;; Some (pow p (Pos.to_nat n))
  | TPow a (Zneg n) | TPower _ a (TZ (Zneg n)) =>
    (* Factor by factor: the reciprocal of an expanded product would be another atom. *)
    (fix factors (a : tree) : option poly :=
      match a with
      | TMul x y => p <- factors x ;; q <- factors y ;; Some (mul p q)
      | _ => p <- norm a ;; i <- pinv p ;; Some (pow i (Pos.to_nat n))
      end) a
  | TRoot q a e =>
    p <- norm a ;; r <- atom (DRoot q p) ;;
    match e with
    | Z0 => Some (pconst 1) | Zpos n => Some (pow r (Pos.to_nat n))
    | Zneg n => i <- pinv r ;; Some (pow i (Pos.to_nat n))
    end
  | TExp a => p <- norm a ;; pexp p
  | TLog a => p <- norm a ;; plog p
  | TMax a b => p <- norm a ;; q <- norm b ;; pmax p q
  | TPower _ a b => p <- norm a ;; q <- norm b ;; atom (DPower p q)
  | TErf a => p <- norm a ;; atom (DErf p)
  end.

Variable rho v : env.
Definition aval (d : adef) : R :=
  match d with
  | DVar x => v x | DPi => PI | DInv p => / pev rho p | DRoot q p => root q (pev rho p)
  | DExp p => exp (pev rho p) | DLog p => ln (pev rho p) | DMax p q => Rmax (pev rho p) (pev rho q)
  | DPower p q => power (pev rho p) (pev rho q) | DErf p => erf (pev rho p)
  end.
Hypothesis good : Forall (fun '(i, d) => rho i = aval d) tbl.

Lemma get_ok a d : get tbl a = Some d -> rho a = aval d.
Proof.
  revert good. induction tbl as [|[i e] t IH]; simpl; [discriminate|]. intros F. inversion_clear F.
  destruct (Pos.eqb_spec i a); [intros K; injection K as <-; congruence|auto].
Qed.
Lemma find_ok d a : find tbl d = Some a -> rho a = aval d.
Proof.
  revert good. induction tbl as [|[i e] t IH]; simpl; [discriminate|]. intros F. inversion_clear F.
  destruct (deqb e d) eqn:E; [|auto]. apply deqb_eq in E. intros K; injection K as <-; congruence.
Qed.
Lemma isexp_ok a : isexp a = true -> rho a <> 0.
Proof.
  unfold isexp. destruct (get tbl a) as [[]|] eqn:E; try discriminate. apply get_ok in E. simpl in E.
  rewrite E. intros _. apply Rgt_not_eq, exp_pos.
Qed.
Local Notation ev := (pev rho).
Definition mulok := pmul_ok isexp rho isexp_ok.
Definition powok := ppow_ok isexp rho isexp_ok.

Lemma pvar_ok a : ev (pvar a) = rho a.
Proof. unfold pvar; simpl. rewrite Q2R1. ring. Qed.
Lemma atom_ok d p : atom d = Some p -> ev p = aval d.
Proof. unfold atom. destruct (find tbl d) eqn:E; [|discriminate]. intros K; rewrite (some_inj K), pvar_ok.
apply find_ok; auto. Qed.
Lemma pterm1_ok a e : ev [([(a, e)], 1%Q)] = zpow (rho a) e.
Proof. simpl. rewrite Q2R1. ring. Qed.
Lemma zpow_neg x e : zpow x (- e) = / zpow x e.
Proof. destruct e; simpl; [symmetry; apply Rinv_1|reflexivity|symmetry; apply Rinv_inv]. Qed.
Lemma divide_ok s p r : divide s p = Some r -> ev p = mev rho s * ev r.
Proof.
  revert r; induction p as [|[m c] p IH]; simpl; intros r. { intros K; rewrite (some_inj K); clear K. simpl. ring. }
  destruct (meqb _ m) eqn:E; [|discriminate]. apply meqb_eq in E. destruct (divide s p); [|discriminate].
  intros K; rewrite (some_inj K); clear K. cbn [pev]. rewrite (IH p0 eq_refl).
  assert (H : mev rho m = mev rho (mdivide m s) * mev rho s).
  { rewrite <- (mmul_ok isexp rho isexp_ok). rewrite E. reflexivity. }
  rewrite H. ring.
Qed.
Lemma recips_ok s : forall r, recips s = Some r -> ev r = / mev rho s.
Proof.
  induction s as [|[a e] s IH]; cbn [recips mev]; intros r. { intros K; rewrite (some_inj K); clear K.
  rewrite pconst_ok, Q2R1, Rinv_1. reflexivity. }
  destruct (recips s) as [r'|]; [|discriminate]. specialize (IH _ eq_refl). rewrite Rinv_mult.
  assert (P : forall n, e = Zpos n -> (i <- atom (DInv (pvar a)) ;; Some (mul (pow i (Pos.to_nat n)) r')) = Some r ->
    ev r = / zpow (rho a) e * / mev rho s).
  { intros n -> K. destruct (atom _) eqn:A; [|discriminate]. injection K as <-. apply atom_ok in A. cbn [aval] in A.
    rewrite mulok, powok, A, IH, pvar_ok. simpl. rewrite pow_inv. reflexivity. }
  destruct (get tbl a) as [d|] eqn:G.
  2: { destruct e; try discriminate; eauto. }
  destruct d; try (destruct e; try discriminate; eauto; fail).
  - destruct e; try discriminate. intros K; rewrite (some_inj K); clear K. apply get_ok in G. cbn [aval] in G.
    rewrite mulok, powok, IH, G. simpl. rewrite pow_inv, Rinv_inv. reflexivity.
  - intros K; rewrite (some_inj K); clear K. rewrite mulok, pterm1_ok, IH, zpow_neg. reflexivity.
Qed.
Lemma Qinv_ok l : qz l = false -> Q2R (Qred (/ l)) = / Q2R l.
Proof.
  intros H. rewrite (Qeq_eqR _ _ (Qred_correct _)). apply Q2R_inv. intros K. unfold qz in H.
  apply Z.eqb_neq in H. apply H. unfold Qeq in K. simpl in K. lia.
Qed.
Lemma pinv_ok p r : pinv p = Some r -> ev r = / ev p.
Proof.
  unfold pinv. destruct p as [|[m c] p]. { intros K; rewrite (some_inj K); clear K. simpl. symmetry. apply Rinv_0. }
  set (q := (m, c) :: p). set (s := fold_left _ _ _). clearbody s q.
  destruct (divide s q) as [rest|] eqn:D; [|discriminate]. apply divide_ok in D.
  destruct (recips s) as [rc|] eqn:C; [|discriminate]. apply recips_ok in C.
  destruct rest as [|t rest']; [discriminate|]. set (l := snd (leading t rest')).
  destruct (qz l) eqn:Z; [discriminate|]. simpl negb. cbv iota.
  pose proof (Qinv_ok _ Z) as I. set (k := Qred (/ l)) in *.
  pose proof (qz_false _ Z) as NZ.
  assert (G : (i <- atom (DInv (pscale k (t :: rest'))) ;; Some (pscale k (mul rc i))) = Some r -> ev r = / ev q).
  { destruct (atom _) eqn:A; [|discriminate]. intros K; rewrite (some_inj K); clear K. apply atom_ok in A.
    cbn [aval] in A.
    rewrite pscale_ok, mulok, A, pscale_ok, C, D, I, !Rinv_mult, Rinv_inv.
    transitivity ((/ Q2R l * Q2R l) * (/ mev rho s * / ev (t :: rest'))); [ring|rewrite Rinv_l by auto; ring]. }
  destruct t as [[|x m'] c']; [|exact G]. destruct rest'; [|exact G].
  intros K; rewrite (some_inj K); clear K. rewrite pscale_ok, C, D, I. unfold l. simpl leading. simpl snd. simpl pev.
  rewrite Rinv_mult. replace (Q2R c' * 1 + 0) with (Q2R c') by ring. ring.
Qed.
Lemma exp_nat x n : exp (INR n * x) = exp x ^ n.
Proof. induction n as [|n IH]. { simpl. rewrite Rmult_0_l. apply exp_0.
} rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring. Qed.
Lemma exp_zpow x z : exp (IZR z * x) = zpow (exp x) z.
Proof.
  destruct z as [|p|p]; simpl.
  - rewrite Rmult_0_l. apply exp_0.
  - rewrite <- exp_nat, INR_IPR. reflexivity.
  - rewrite <- exp_nat, INR_IPR. change (IZR (Z.neg p)) with (- IPR p). rewrite <- exp_Ropp. f_equal. ring.
Qed.
Lemma pexp_ok p : forall r, pexp p = Some r -> ev r = exp (ev p).
Proof.
  induction p as [|[m c] p IH]; cbn [pexp pev]; intros r. { intros K; rewrite (some_inj K); clear K.
  rewrite pconst_ok, Q2R1, exp_0. reflexivity. }
  destruct (pexp p) as [r'|]; [|discriminate]. destruct (find tbl _) as [a|] eqn:F; [|discriminate].
  intros K; rewrite (some_inj K); clear K. apply find_ok in F. cbn [aval] in F.
  rewrite mulok, pterm1_ok, (IH _ eq_refl), exp_plus, F, <- exp_zpow.
  f_equal. f_equal. destruct c as [u w]. cbn [pev Qnum Qden]. unfold Q2R; cbn [Qnum Qden]. field.
  apply (not_0_IZR (Zpos w)). discriminate.
Qed.
Lemma plog_ok p r : plog p = Some r -> ev r = ln (ev p).
Proof.
  unfold plog. destruct (peqb p _) eqn:E.
  - apply peqb_eq in E. subst. intros K; rewrite (some_inj K); clear K. simpl. rewrite Q2R1.
    replace (1 * 1 + 0) with 1 by ring. symmetry; apply ln_1.
  - apply (atom_ok (DLog p)).
Qed.
Lemma pmax_ok p q r : pmax p q = Some r -> ev r = Rmax (ev p) (ev q).
Proof.
  unfold pmax. destruct (atom (DMax p q)) eqn:E.
  - intros K; rewrite (some_inj K); clear K. apply (atom_ok _ _ E).
  - intros K. rewrite Rmax_comm. apply (atom_ok _ _ K).
Qed.
Lemma zpow_mul x y e : zpow (x * y) e = zpow x e * zpow y e.
Proof. destruct e; simpl; [ring|apply Rpow_mult_distr|]. rewrite Rpow_mult_distr. apply Rinv_mult. Qed.
Lemma shown_zpow x e : shown x e = zpow x e.
Proof. destruct e as [|[]|[]]; simpl; rewrite ?Rmult_1_r; reflexivity. Qed.
Lemma Int_part_IZR z : Int_part (IZR z) = z.
Proof.
  unfold Int_part. rewrite <- (tech_up (IZR z) (z + 1)); rewrite ?plus_IZR; [lia|lra|lra].
Qed.
Lemma power_zpow x z : power x (IZR z) = zpow x z.
Proof.
  assert (K : powerRZ x z = zpow x z) by (destruct z; reflexivity).
  unfold power. rewrite Int_part_IZR. destruct (Rlt_dec 0 x) as [P|P].
  - rewrite <- powerRZ_Rpower; auto.
  - destruct (Req_EM_T (IZR z) (IZR z)); [auto|congruence].
Qed.
Definition factors (n : positive) := fix factors (a : tree) : option poly :=
  match a with
  | TMul x y => p <- factors x ;; q <- factors y ;; Some (mul p q)
  | _ => p <- norm a ;; i <- pinv p ;; Some (pow i (Pos.to_nat n))
  end.
Lemma norm_ok_aux t : (forall r, norm t = Some r -> ev r = tden v t) /\
  (forall n r, factors n t = Some r -> ev r = zpow (tden v t) (Zneg n)).
Proof.
  assert (G : forall a, (forall r, norm a = Some r -> ev r = tden v a) -> forall n r,
    (q <- norm a ;; i <- pinv q ;; Some (pow i (Pos.to_nat n))) = Some r -> ev r = zpow (tden v a) (Zneg n)).
  { intros a H n r0. destruct (norm a) as [p0|]; [|discriminate]. destruct (pinv p0) eqn:I; [|discriminate].
    intros K; rewrite (some_inj K); clear K. rewrite powok, (pinv_ok _ _ I), (H _ eq_refl). simpl. apply pow_inv. }
  induction t.
  all: match goal with |- _ /\ (forall n r, factors n (TMul _ _) = _ -> _) => idtac | |- ?A /\ _ =>
    cut A; [intros U; split; [exact U|intros n r; exact (G _ U n r)]|] end.
  8: { destruct IHt1 as [N1 F1], IHt2 as [N2 F2]; split.
    - intros r. cbn [norm]. destruct (norm t1) as [p|], (norm t2) as [q|]; try discriminate.
      intros K; rewrite (some_inj K); clear K. rewrite mulok, (N1 _ eq_refl), (N2 _ eq_refl). reflexivity.
    - intros n r. cbn [factors]. fold (factors n). destruct (factors n t1) as [p|] eqn:E1, (factors n t2) as [q|]
        eqn:E2; try discriminate.
      intros K; rewrite (some_inj K); clear K. rewrite mulok, (F1 _ _ E1), (F2 _ _ E2). cbn [tden]. symmetry.
      apply zpow_mul. }
  8: { destruct IHt as [N F]. intros r. cbn [norm tden]. rewrite shown_zpow. destruct e.
    - intros K; rewrite (some_inj K); clear K. rewrite pconst_ok. apply Q2R1.
    - destruct (norm t) as [p0|]; [|discriminate]. intros K; rewrite (some_inj K); clear K.
      rewrite powok, (N _ eq_refl). reflexivity.
    - intros K. apply (F p r). exact K. }
  12: { destruct IHt1 as [N F], IHt2 as [N2 _]. intros r. cbn [norm tden].
    assert (A : (p <- norm t1 ;; q <- norm t2 ;; atom (DPower p q)) = Some r -> ev r = power (tden v t1) (tden v t2)).
    { destruct (norm t1) as [p|]; [|discriminate]. destruct (norm t2) as [q|]; [|discriminate].
      intros K. apply atom_ok in K. rewrite K. cbn [aval]. rewrite (N _ eq_refl), (N2 _ eq_refl). reflexivity. }
    destruct t2 as [x|z| | | | | | | | | | | | |]; try exact A. cbn [tden]. rewrite power_zpow. destruct z.
    - intros K; rewrite (some_inj K); clear K. rewrite pconst_ok. apply Q2R1.
    - destruct (norm t1) as [p0|]; [|discriminate]. intros K; rewrite (some_inj K); clear K.
      rewrite powok, (N _ eq_refl). reflexivity.
    - intros K. apply (F p r). exact K. }
  all: repeat match goal with H : _ /\ _ |- _ => destruct H as [? _] end; cbn [norm]; intros r;
  repeat match goal with
  | IH : forall r, norm ?t = Some r -> _ |- context [norm ?t] =>
    destruct (norm t) as [?p|]; [specialize (IH _ eq_refl)|discriminate] end.
  - apply (atom_ok (DVar x)).
  - intros K; rewrite (some_inj K); clear K. rewrite pconst_ok. unfold Q2R; simpl. field.
  - intros K; rewrite (some_inj K); clear K. rewrite pconst_ok, (Qeq_eqR _ _ (Qred_correct _)). reflexivity.
  - apply (atom_ok DPi).
  1-3: intros K; rewrite (some_inj K); clear K; rewrite ?padd_ok, ?psub_ok, ?pneg_ok; simpl; congruence.
  - destruct (atom _) as [a|] eqn:A; [|discriminate]. apply atom_ok in A. cbn [aval] in A. cbn [tden].
    rewrite shown_zpow, <- H, <- A.
    destruct e.
    + intros K; rewrite (some_inj K); clear K. rewrite pconst_ok. apply Q2R1.
    + intros K; rewrite (some_inj K); clear K. rewrite powok. reflexivity.
    + destruct (pinv a) eqn:I; [|discriminate]. intros K; rewrite (some_inj K); clear K.
      rewrite powok, (pinv_ok _ _ I). apply pow_inv.
  - intros K. rewrite (pexp_ok _ _ K), H. reflexivity.
  - intros K. rewrite (plog_ok _ _ K), H. reflexivity.
  - intros K. rewrite (pmax_ok _ _ _ K), H, H0. reflexivity.
  - intros K. rewrite (atom_ok _ _ K). cbn [aval tden]. rewrite H. reflexivity.
Qed.
Definition norm_ok t := proj1 (norm_ok_aux t).
End Table.
