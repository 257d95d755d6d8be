(* Sparse polynomials over numbered atoms, with what each operation means. *)
From Rgm Require Export Meaning.
Fixpoint mcmp (m n : mono) : comparison :=
  match m, n with
  | [], [] => Datatypes.Eq
  | [], (_, f) :: _ => Z.compare 0 f
  | (_, e) :: _, [] => Z.compare e 0
  | (a, e) :: m', (b, f) :: n' =>
    match Pos.compare a b with
    | Datatypes.Lt => Z.compare e 0 | Datatypes.Gt => Z.compare 0 f
    | Datatypes.Eq => match Z.compare e f with Datatypes.Eq => mcmp m' n' | c => c end
    end
  end.
Fixpoint meqb (m n : mono) : bool :=
  match m, n with
  | [], [] => true
  | (a, e) :: m', (b, f) :: n' => if Pos.eqb a b then if Z.eqb e f then meqb m' n' else false else false
  | _, _ => false
  end.
Definition qeqb (c d : Q) : bool := if Z.eqb (Qnum c) (Qnum d) then Pos.eqb (Qden c) (Qden d) else false.
Fixpoint peqb (p q : poly) : bool :=
  match p, q with
  | [], [] => true
  | (m, c) :: p', (n, d) :: q' => if meqb m n then if qeqb c d then peqb p' q' else false else false
  | _, _ => false
  end.
Lemma meqb_eq m : forall n, meqb m n = true -> m = n.
Proof.
  induction m as [|[a e] m IH]; intros [|[b f] n]; simpl; try discriminate; auto.
  destruct (Pos.eqb_spec a b), (Z.eqb_spec e f); try discriminate. intros; f_equal; auto; congruence.
Qed.
Lemma qeqb_eq c d : qeqb c d = true -> c = d.
Proof. destruct c as [a b], d as [x y]; unfold qeqb; simpl. destruct (Z.eqb_spec a x); try discriminate.
  intros H; apply Pos.eqb_eq in H; congruence. Qed.
Lemma peqb_eq p : forall q, peqb p q = true -> p = q.
Proof.
  induction p as [|[m c] p IH]; intros [|[n d] q]; simpl; try discriminate; auto.
  destruct (meqb m n) eqn:?; try discriminate. destruct (qeqb c d) eqn:?; try discriminate.
  intros; rewrite (meqb_eq m n), (qeqb_eq c d), (IH q); auto.
Qed.

Definition cadd (c d : Q) : Q := Qred (c + d).
Definition cmul (c d : Q) : Q := Qred (c * d).
Lemma cadd_ok c d : Q2R (cadd c d) = Q2R c + Q2R d.
Proof. unfold cadd. rewrite (Qeq_eqR _ _ (Qred_correct _)). apply Q2R_plus. Qed.
Lemma cmul_ok c d : Q2R (cmul c d) = Q2R c * Q2R d.
Proof. unfold cmul. rewrite (Qeq_eqR _ _ (Qred_correct _)). apply Q2R_mult. Qed.
Definition qz (c : Q) : bool := Z.eqb (Qnum c) 0.
Lemma qz_ok c : qz c = true -> Q2R c = 0.
Proof. unfold qz, Q2R. intros H; apply Z.eqb_eq in H; rewrite H. lra. Qed.
Lemma qz_false c : qz c = false -> Q2R c <> 0.
Proof.
  intros Z H. unfold qz in Z. apply Z.eqb_neq in Z. unfold Q2R in H. apply Rmult_integral in H. destruct H as [H|H].
  - apply (eq_IZR _ 0) in H. auto.
  - revert H. apply Rinv_neq_0_compat. apply (not_0_IZR (Zpos (Qden c))). discriminate.
Qed.
Lemma Q2R1 : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2Rm1 : Q2R (-1) = -1. Proof. unfold Q2R; simpl; lra. Qed.

Section Eval.
Variable isexp : positive -> bool.
Variable rho : positive -> R.
Hypothesis nonzero : forall a, isexp a = true -> rho a <> 0.

Fixpoint mev (m : mono) : R := match m with [] => 1 | (a, e) :: m' => zpow (rho a) e * mev m' end.
Fixpoint pev (p : poly) : R := match p with [] => 0 | (m, c) :: p' => Q2R c * mev m + pev p' end.

Definition okexp (a : positive) (e f : Z) : bool :=
  if (if Z.leb 0 e then Z.leb 0 f else false) then true else isexp a.

Fixpoint mmul (m : mono) : mono -> mono :=
  match m with
  | [] => fun n => n
  | (a, e) :: m' => fix go (n : mono) : mono :=
    match n with
    | [] => m
    | (b, f) :: n' =>
      match Pos.compare a b with
      | Datatypes.Lt => (a, e) :: mmul m' n
      | Datatypes.Gt => (b, f) :: go n'
      | Datatypes.Eq => if okexp a e f then
          match Z.add e f with Z0 => mmul m' n' | s => (a, s) :: mmul m' n' end
        else (a, e) :: (b, f) :: mmul m' n'
      end
    end
  end.

Fixpoint padd (p : poly) : poly -> poly :=
  match p with
  | [] => fun q => q
  | (m, c) :: p' => fix go (q : poly) : poly :=
    match q with
    | [] => p
    | (n, d) :: q' =>
      match mcmp m n with
      | Datatypes.Lt => (m, c) :: padd p' q
      | Datatypes.Gt => (n, d) :: go q'
      | Datatypes.Eq => if meqb m n then
          let s := cadd c d in if qz s then padd p' q' else (m, s) :: padd p' q'
        else (m, c) :: (n, d) :: padd p' q'
      end
    end
  end.

Definition pscale (c : Q) (p : poly) : poly :=
  if qz c then [] else map (fun '(m, d) => (m, cmul c d)) p.
Definition pneg := pscale (-1).
Definition pterm (m : mono) (c : Q) (p : poly) : poly := map (fun '(n, d) => (mmul m n, cmul c d)) p.
Definition pconst (c : Q) : poly := if qz c then [] else [([], c)].
(* Rows of the product are added in pairs, so that no long sum is gone through again and again. *)
Fixpoint pmul_aux (p q : poly) : poly :=
  match p with [] => [] | (m, c) :: p' => padd (pterm m c q) (pmul_aux p' q) end.
Definition pmul := pmul_aux.
Fixpoint ppow (p : poly) (n : nat) : poly := match n with O => pconst 1 | S n' => pmul (ppow p n') p end.
Definition psub p q := padd p (pneg q).

Lemma zpow_add x e f : (x <> 0 \/ (0 <= e)%Z /\ (0 <= f)%Z) -> zpow x (e + f) = zpow x e * zpow x f.
Proof.
  intros [H|[H1 H2]].
  - assert (K : forall z, zpow x z = powerRZ x z) by (intros [|p|p]; reflexivity).
    rewrite !K. apply powerRZ_add; auto.
  - destruct e, f; try (exfalso; lia); simpl; try ring. rewrite Pos2Nat.inj_add. apply pow_add.
Qed.
Lemma okexp_ok a e f : okexp a e f = true -> zpow (rho a) (e + f) = zpow (rho a) e * zpow (rho a) f.
Proof.
  unfold okexp. intros H. apply zpow_add.
  destruct (Z.leb_spec 0 e); [destruct (Z.leb_spec 0 f)|]; auto.
Qed.
Lemma mmul_ok m : forall n, mev (mmul m n) = mev m * mev n.
Proof.
  induction m as [|[a e] m IHm]; intros n; simpl. { ring. }
  induction n as [|[b f] n IHn]. { simpl. ring. }
  destruct (Pos.compare_spec a b).
  - subst b. destruct (okexp a e f) eqn:E.
    + apply okexp_ok in E. destruct (e + f)%Z eqn:S; simpl in *; rewrite IHm; simpl;
      transitivity ((zpow (rho a) e * zpow (rho a) f) * (mev m * mev n)); try ring; rewrite <- E; simpl; ring.
    + simpl. rewrite IHm. ring.
  - cbn [mev]. rewrite IHm. simpl. ring.
  - cbn [mev]. rewrite IHn. simpl. ring.
Qed.
Lemma padd_ok p : forall q, pev (padd p q) = pev p + pev q.
Proof.
  induction p as [|[m c] p IHp]; intros q; simpl. { ring. }
  induction q as [|[n d] q IHq]. { simpl. ring. }
  destruct (mcmp m n).
  - destruct (meqb m n) eqn:E.
    + apply meqb_eq in E; subst n. pose proof (cadd_ok c d) as K. destruct (qz (cadd c d)) eqn:Z.
      * apply qz_ok in Z. simpl. rewrite IHp. simpl.
        transitivity ((Q2R c + Q2R d) * mev m + (pev p + pev q)); [rewrite <- K, Z|]; ring.
      * simpl. rewrite IHp, K. simpl. ring.
    + simpl. rewrite IHp. ring.
  - cbn [pev]. rewrite IHp. simpl. ring.
  - cbn [pev]. rewrite IHq. simpl. ring.
Qed.
Lemma pscale_ok c p : pev (pscale c p) = Q2R c * pev p.
Proof.
  unfold pscale. destruct (qz c) eqn:E. { apply qz_ok in E. rewrite E. simpl. ring. }
  induction p as [|[m d] p IH]; simpl. { ring. } rewrite IH, cmul_ok. ring.
Qed.
Lemma pneg_ok p : pev (pneg p) = - pev p.
Proof. unfold pneg. rewrite pscale_ok, Q2Rm1. ring. Qed.
Lemma pterm_ok m c p : pev (pterm m c p) = Q2R c * mev m * pev p.
Proof.
  induction p as [|[n d] p IH]. { simpl. ring. }
  change (pterm m c ((n, d) :: p)) with ((mmul m n, cmul c d) :: pterm m c p).
  cbn [pev]. rewrite IH, cmul_ok, mmul_ok. ring.
Qed.
Lemma pconst_ok c : pev (pconst c) = Q2R c.
Proof. unfold pconst. destruct (qz c) eqn:E; simpl; [apply qz_ok in E; auto|ring]. Qed.
Lemma psub_ok p q : pev (psub p q) = pev p - pev q.
Proof. unfold psub. rewrite padd_ok, pneg_ok. ring. Qed.
Lemma pmul_ok p q : pev (pmul p q) = pev p * pev q.
Proof.
  unfold pmul. induction p as [|[m c] p IH]; simpl. { ring. }
  rewrite padd_ok, IH, pterm_ok. ring.
Qed.
Lemma ppow_ok p n : pev (ppow p n) = pev p ^ n.
Proof. induction n as [|n IH]; cbn [ppow pow]. { rewrite pconst_ok. apply Q2R1. } rewrite pmul_ok, IH. ring. Qed.
End Eval.
