(* What follows from facts by arithmetic is true where they are: the proofs for Facts.v. *)
From Rgm Require Export Check.

Lemma pair_inj {A B} {a c : A} {b d : B} : Some (a, b) = Some (c, d) -> c = a /\ d = b.
Proof. intros K; injection K as <- <-; auto. Qed.
Section Sound.
Variable tbl : table.
Variable rho : positive -> R.
Variable v : env.
Hypothesis good : Forall (fun '(i, d) => rho i = aval rho v d) tbl.
Local Notation ev := (pev rho).
Local Notation ix := (isexp tbl).
Local Notation mul := (pmul ix).
Definition mulok' := mulok tbl rho v good.
Definition powok' := powok tbl rho v good.

Fixpoint fden (f : form) : Prop :=
  match f with
  | FRel o p => says o (ev p) | FAnd f g => fden f /\ fden g | FOr f g => fden f \/ fden g
  | FTrue => True | FFalse => False
  end.
Lemma neg_ok f : (fden f /\ ~ fden (neg f)) \/ (~ fden f /\ fden (neg f)).
Proof.
  induction f as [o p| | | |]; simpl; try tauto.
  destruct o; simpl; rewrite ?pneg_ok.
  - destruct (Rle_dec 0 (ev p)); [left|right]; lra.
  - destruct (Rlt_dec 0 (ev p)); [left|right]; lra.
  - destruct (Req_EM_T (ev p) 0); [left|right]; lra.
  - destruct (Req_EM_T (ev p) 0); [right|left]; lra.
Qed.
Lemma constant_ok o p b : constant o p = Some b -> if b then says o (ev p) else ~ says o (ev p).
Proof.
  destruct p as [|[[|] c] [|]]; simpl; try discriminate; intros K; injection K as <-.
  - replace 0 with (Q2R 0) by (unfold Q2R; simpl; lra). apply qsign_ok.
  - replace (Q2R c * 1 + 0) with (Q2R c) by ring. apply qsign_ok.
Qed.
Lemma absurd_ok f : absurd f = true -> ~ fden f.
Proof.
  destruct f as [o p| | | |]; simpl; try discriminate; auto.
  destruct (constant o p) as [[]|] eqn:E; try discriminate. intros _. apply (constant_ok _ _ _ E).
Qed.
Lemma Qsign_pos c : Z.ltb 0 (Qnum c) = true -> 0 < Q2R c.
Proof.
  intros H. apply Z.ltb_lt in H. unfold Q2R. apply Rmult_lt_0_compat; [apply (IZR_lt 0); auto|].
  apply Rinv_0_lt_compat, (IZR_lt 0). lia.
Qed.
Lemma rimp_ok a p b q : rimp a p b q = true -> says a (ev p) -> says b (ev q).
Proof.
  unfold rimp. destruct p as [|[m c] p'], q as [|[n d] q']; try discriminate.
  { intros H. assert (a = b) by (destruct a, b; simpl in H; congruence). subst; auto. }
  destruct (qz c); [discriminate|]. set (r := Qred (d * / c)). destruct (qz r) eqn:Z; [discriminate|].
  destruct (weaker (0 <? Qnum r)%Z a b) eqn:W; [|discriminate]. intros H. apply peqb_eq in H.
  rewrite H, pscale_ok. apply qz_false in Z. set (x := ev ((m, c) :: p')).
  destruct (Z.ltb 0 (Qnum r)) eqn:P.
  - apply Qsign_pos in P. destruct a, b; simpl in *; try discriminate; intros K; try (rewrite K; lra); try nra;
    intros L; apply Rmult_integral in L; lra.
  - destruct a, b; simpl in *; try discriminate; intros K; try (rewrite K; lra); intros L;
      apply Rmult_integral in L; lra.
Qed.
Lemma implies_ok f : forall g, implies f g = true -> fden f -> fden g.
Proof.
  assert (G : forall f g, (if feqb f g then true else match g with FTrue => true
    | FOr x y => if implies f x then true else implies f y | _ => false end) = true -> (forall x y, g = FOr x y ->
    (implies f x = true -> fden f -> fden x) /\ (implies f y = true -> fden f -> fden y)) -> fden f -> fden g).
  { intros f0 g H IH. destruct (feqb f0 g) eqn:E. { apply feqb_eq in E. subst; auto. }
    destruct g; try discriminate; simpl; auto. destruct (IH _ _ eq_refl) as [I1 I2].
    destruct (implies f0 g1); intros; [left|right]; auto. }
  intros g; induction g as [b q|g1 I1 g2 I2|g1 I1 g2 I2| |]; intros H.
  - destruct f as [a p| | | |]; [exact (rimp_ok _ _ _ _ H)| | | |];
    match goal with |- fden ?f -> _ => apply (G f (FRel b q) H) end; intros x y E; discriminate.
  - apply (G f (FAnd g1 g2)); [destruct f; exact H|intros x y E; discriminate].
  - apply (G f (FOr g1 g2)); [destruct f; exact H|]. intros x y E. injection E as <- <-. split; auto.
  - simpl. auto.
  - apply (G f FFalse); [destruct f; exact H|intros x y E; discriminate].
Qed.

Definition Facts l := Forall fden l.
Lemma assume_ok f : forall l, Facts l -> fden f -> Facts (assume l f).
Proof. induction f; simpl; intros l L H; try (constructor; assumption); try tauto. destruct H; auto. Qed.
Lemma assumes_ok l : forall k, Facts k -> Forall fden l -> Facts (assumes l k).
Proof. induction l; simpl; intros k K L; auto. inversion_clear L. apply IHl; auto. apply assume_ok; auto. Qed.
Lemma fact_ok l i f : Facts l -> fact l i = Some f -> fden f.
Proof.
  unfold fact. destruct (Nat.ltb i _); [|discriminate]. intros L H. apply nth_error_In in H.
  exact (proj1 (Forall_forall _ _) L _ H).
Qed.
Lemma exists_ok l g : Facts l -> existsb (fun k => implies k g) l = true -> fden g.
Proof. intros L H. apply existsb_exists in H. destruct H as [k [I H]]. apply (implies_ok _ _ H).
exact (proj1 (Forall_forall _ _) L _ I). Qed.
Lemma evident_ok l f : Facts l -> evident l f = true -> fden f.
Proof.
  intros L. induction f as [o p|f IHf g IHg|f IHf g IHg| |]; cbn [evident]; intros H.
  - destruct (constant o p) as [[]|] eqn:E; try discriminate; [apply (constant_ok _ _ _ E)|apply (exists_ok _ _ L H)].
  - destruct (existsb _ l) eqn:E; [apply (exists_ok _ _ L E)|]. destruct (evident l f); [|discriminate]. split; auto.
  - destruct (existsb _ l) eqn:E; [apply (exists_ok _ _ L E)|]. destruct (evident l f); [left|right]; auto.
  - exact I.
  - apply (exists_ok _ _ L H).
Qed.
Lemma conj_ok l : fden (conj l) <-> Forall fden l.
Proof.
  assert (K : forall l, fden (fold_right FAnd FTrue l) <-> Forall fden l).
  { induction l0 as [|f k IH]; simpl. { split; auto. }
    rewrite IH. split; [intros []; constructor; auto|intros H; inversion H; auto]. }
  destruct l as [|f [|g k]]; try apply K. simpl. split; [auto|intros H; inversion H; auto].
Qed.
Lemma holdsf_ok l i o p : Facts l -> holdsf l i o p = true -> says o (ev p).
Proof.
  intros L. unfold holdsf. destruct i as [i|].
  - destruct (fact l i) eqn:F; [|discriminate]. intros H. exact (implies_ok _ _ H (fact_ok _ _ _ L F)).
  - destruct (constant o p) as [[]|] eqn:E; try discriminate; [intros _;
      apply (constant_ok _ _ _ E)|apply (exists_ok _ (FRel o p) L)].
Qed.

Lemma product_ok l refs : Facts l -> forall s p, product tbl l refs = Some (s, p) ->
  if s then 0 < ev p else 0 <= ev p.
Proof.
  intros L. induction refs as [|i refs IH]; cbn [product]; intros s p.
  { intros K; injection K as <- <-. rewrite pconst_ok, Q2R1. lra. }
  destruct (product tbl l refs) as [[s' q]|]; [|discriminate]. specialize (IH _ _ eq_refl).
  destruct (fact l i) as [[[] f| | | |]|] eqn:F; try discriminate; apply fact_ok in F; auto; simpl in F;
  intros K; injection K as <- <-; rewrite mulok'; destruct s'; nra.
Qed.
Lemma squares_ok l : forall p, exists c, 0 <= c /\ ev (squares tbl l p) = c * ev p.
Proof.
  induction l as [|q l IH]; simpl; intros p. { exists 1. lra. }
  destruct (IH (mul (mul q q) p)) as [c [C E]]. exists (c * (ev q * ev q)). split. { nra. } rewrite E, !mulok'. ring.
Qed.
Lemma sum_ok l k : Facts l -> forall s p, sum tbl l k = Some (s, p) -> if s then 0 < ev p else 0 <= ev p.
Proof.
  intros L. induction k as [|[[c refs] sq] k IH]; cbn [sum]; intros s p.
  { intros K; injection K as <- <-. simpl. lra. }
  destruct (sum tbl l k) as [[s' q]|]; [|discriminate]. specialize (IH _ _ eq_refl).
  destruct (product tbl l refs) as [[s2 q2]|] eqn:P; [|discriminate]. apply (product_ok _ _ L) in P.
  pose proof (qsign_ok GE c) as C. destruct (qsign GE c); [|discriminate]. simpl in C.
  pose proof (qsign_ok GT c) as C2. cbn [fst snd]. intros K. cbv zeta in K. destruct (pair_inj K) as [-> ->].
  clear K. rewrite padd_ok.
  destruct (squares_ok sq (pscale c q2)) as [e [E1 E2]]. rewrite E2, pscale_ok.
  assert (Q0 : 0 <= ev q2) by (destruct s2; lra). assert (Q1 : 0 <= Q2R c * ev q2) by nra.
  assert (Q3 : 0 <= e * (Q2R c * ev q2)) by nra.
  assert (Q4 : qsign GT c = true -> sq = [] -> s2 = true -> 0 < e * (Q2R c * ev q2)).
  { intros U V W. rewrite U in C2. simpl in C2. subst. cbn [squares] in E2. rewrite pscale_ok in E2. rewrite <- E2.
    nra. }
  destruct (qsign GT c) eqn:U; [destruct sq|]; [destruct s2| |]; try specialize (Q4 eq_refl eq_refl eq_refl);
    cbn [fst]; destruct s'; lra.
Qed.
Lemma multiples_ok l k : Facts l -> forall p, multiples tbl l k = Some p -> ev p = 0.
Proof.
  intros L. induction k as [|[i q] k IH]; cbn [multiples]; intros p.
  { intros K; injection K as <-. reflexivity. }
  destruct (multiples tbl l k) as [r|]; [|discriminate]. specialize (IH _ eq_refl).
  destruct (fact l i) as [[[] f| | | |]|] eqn:F; try discriminate; apply fact_ok in F; auto; simpl in F.
  intros K; injection K as <-. rewrite padd_ok, mulok', F, IH. ring.
Qed.
Lemma summed_ok l k m f : Facts l -> summed tbl l k m = Some f -> fden f.
Proof.
  intros L. unfold summed. destruct (sum tbl l k) as [[s p]|] eqn:S; [|discriminate].
  destruct (multiples tbl l m) as [q|] eqn:M; [|discriminate]. apply (multiples_ok _ _ L) in M.
  intros K; injection K as <-. cbn [fst snd fden]. rewrite padd_ok, M.
  destruct k. { simpl in S. injection S as <- <-. simpl. ring. }
  apply (sum_ok _ _ L) in S. destruct s; simpl; lra.
Qed.

Lemma clears_ok q m c p : mev rho m * ev q = Q2R c -> ev (clears tbl q m c p) = ev q * ev p.
Proof.
  intros H. induction p as [|[n d] p IH]; cbn [clears pev]. { ring. }
  rewrite padd_ok, IH. destruct (meqb _ n) eqn:E.
  - apply meqb_eq in E. assert (N : mev rho n = mev rho m * mev rho (mdivide n m)).
    { rewrite <- (mmul_ok ix rho (isexp_ok tbl rho v good)), E. reflexivity. }
    rewrite N. cbn [pev]. rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_mult, <- H. ring.
  - rewrite (pterm_ok ix rho (isexp_ok tbl rho v good)). ring.
Qed.
Lemma cleared_ok l f q i g : Facts l -> cleared tbl l f q i = Some g -> (fden f <-> fden g).
Proof.
  intros L. destruct f as [o p| | | |]; simpl; try discriminate.
  destruct (holdsf l i _ q) eqn:H; [|discriminate]. apply (holdsf_ok _ _ _ _ L) in H.
  destruct (pinv tbl q) as [inv|] eqn:I; [|discriminate]. apply (pinv_ok tbl rho v good) in I.
  destruct inv as [|[m c] [|]]; try discriminate. destruct (qz c) eqn:Z; [discriminate|]. simpl negb. cbv iota.
  intros K; injection K as <-. cbn [fden]. apply qz_false in Z. cbn [pev] in I.
  assert (NZ : ev q <> 0) by (destruct o; simpl in H; lra).
  rewrite (clears_ok q m (Qred (/ c)) p).
  - destruct o; simpl in *.
    + split; intros; [nra|]. destruct (Rle_or_lt 0 (ev p)); nra.
    + split; intros; [nra|]. destruct (Rle_or_lt (ev p) 0); nra.
    + split; intros U; [rewrite U; ring|]. apply Rmult_integral in U. tauto.
    + split; intros U W; apply U; [apply Rmult_integral in W; tauto|rewrite W; ring].
  - rewrite Qinv_ok. 2: { destruct (qz c) eqn:Y; auto. apply qz_ok in Y. lra. }
    apply (Rmult_eq_reg_l (Q2R c)); auto. rewrite Rinv_r by auto. rewrite <- Rmult_assoc.
    replace (Q2R c * mev rho m) with (/ ev q) by (rewrite <- I; ring). apply Rinv_l. auto.
Qed.
End Sound.
