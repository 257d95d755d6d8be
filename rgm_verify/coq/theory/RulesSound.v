(* The facts that a rule gives are true. *)
From Rgm Require Export FactsSound.
Section Rules.
Variable tbl : table.
Variable rho : positive -> R.
Variable v : env.
Hypothesis good : Forall (fun '(i, d) => rho i = aval rho v d) tbl.
Local Notation ev := (pev rho).
Local Notation fden := (fden rho).
Local Notation mul := (pmul (isexp tbl)).
Local Notation Facts := (Facts rho).
Definition mulok := mulok tbl rho v good.
Definition powok := powok tbl rho v good.
Lemma one_ok : ev one = 1. Proof. unfold one. rewrite pconst_ok. apply Q2R1. Qed.

Lemma exp_ge x : 1 + x <= exp x.
Proof.
  destruct (Req_EM_T x 0) as [->|N]. { rewrite exp_0. lra. } left. apply exp_ineq1. auto.
Qed.
Lemma ln_le x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (exp_ge (ln x)). rewrite exp_ln in H0; lra. Qed.
Lemma ln_ge x : 0 < x -> x - 1 <= x * ln x.
Proof.
  intros H. pose proof (ln_le (/ x) (Rinv_0_lt_compat _ H)) as K. rewrite ln_Rinv in K by auto.
  apply (Rmult_le_compat_l x) in K; [|lra]. replace (x * (/ x - 1)) with (1 - x) in K; [lra|field; lra].
Qed.
Lemma root_ok n x : 0 <= x -> root n x ^ Pos.to_nat n = x /\ 0 <= root n x.
Proof.
  intros H. set (r := if Rlt_dec 0 x then Rpower x (/ IZR (Zpos n)) else 0).
  assert (A : r ^ Pos.to_nat n = x /\ 0 <= r).
  { unfold r. destruct (Rlt_dec 0 x) as [P|P].
    - split; [|left; apply exp_pos]. rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult.
      rewrite INR_IPR. change (IPR n) with (IZR (Zpos n)).
      rewrite Rinv_l; [apply Rpower_1; auto|]. apply (not_0_IZR (Zpos n)). discriminate.
    - replace x with 0 by lra. split; [|lra]. apply pow_i. apply Pos2Nat.is_pos. }
  destruct n as [n|[n|n|]|]; try exact A. unfold root. split; [|apply sqrt_pos].
  change (Pos.to_nat 2) with 2%nat. apply pow2_sqrt, H.
Qed.
Lemma root_pos n x : 0 < x -> 0 < root n x.
Proof.
  intros H. destruct n as [n|[n|n|]|]; unfold root; try (destruct (Rlt_dec 0 x); [apply exp_pos|lra]).
  apply sqrt_lt_R0, H.
Qed.
Lemma power_ok x y : 0 < x -> power x y = exp (y * ln x).
Proof. intros H. unfold power. destruct (Rlt_dec 0 x); [reflexivity|lra]. Qed.
Lemma ln_pow' x n : 0 < x -> ln (x ^ n) = INR n * ln x.
Proof.
  intros H. induction n as [|n IH]. { simpl. rewrite ln_1. ring. }
  rewrite S_INR. cbn [pow]. rewrite ln_mult; [rewrite IH; ring|auto|apply pow_lt; auto].
Qed.
Lemma pos_pow x n : 0 < x -> 0 < x ^ Pos.to_nat n. Proof. intros; apply pow_lt; auto. Qed.

Lemma logs_ok l k : Facts l -> forall d u t, logs tbl l k = Some (d, u, t) ->
  0 < ev d /\ 0 < ev u /\ ev t = ln (ev u) - ln (ev d).
Proof.
  intros L. induction k as [|[[r f] i] k IH]; cbn [logs]; intros d u t.
  { intros K. injection K as <- <- <-. rewrite !pconst_ok, Q2R1. simpl. rewrite ln_1. lra. }
  destruct (logs tbl l k) as [[[d' u'] t']|]; [|discriminate]. destruct (IH _ _ _ eq_refl) as [D [U T]].
  destruct (holdsf l i GT f) eqn:H; [|discriminate]. apply (holdsf_ok rho _ _ _ _ L) in H. simpl in H.
  destruct (plog tbl f) as [g|] eqn:G; [|discriminate]. apply (plog_ok tbl rho v good) in G.
  assert (M : forall n q m, 0 < ev q -> m = mul (ppow (isexp tbl) f (Pos.to_nat n)) q ->
    0 < ev m /\ ln (ev m) = IZR (Zpos n) * ln (ev f) + ln (ev q)).
  { intros n q m Q ->. rewrite mulok, powok. split; [apply Rmult_lt_0_compat; auto using pos_pow|].
    rewrite ln_mult, ln_pow', INR_IPR by auto using pos_pow. reflexivity. }
  destruct r as [|n|n]; [discriminate| |]; intros K; apply some_inj in K; apply pair_equal_spec in K;
  destruct K as [K ->]; apply pair_equal_spec in K; destruct K as [Kd Ku];
  [destruct (M n u' u U Ku); subst d|destruct (M n d' d D Kd); subst u]; rewrite padd_ok, pscale_ok, G, T;
  split; auto; split; auto; unfold Q2R; cbn [Qnum Qden]; change (IZR (Zneg n)) with (- IZR (Zpos n)); lra.
Qed.

Ltac say := unfold fands, fors; cbn [fold_right FactsSound.fden says].
Lemma apply_ok l r f : Facts l -> apply tbl l r = Some f -> fden f.
Proof.
  intros L. destruct r; cbn [apply].
  - intros K. rewrite (some_inj K). say. rewrite pneg_ok. lra.
  - destruct (holdsf l i NE p) eqn:H; [|discriminate]. apply (holdsf_ok rho _ _ _ _ L) in H.
    destruct (pinv tbl p) as [q|] eqn:I; [|discriminate]. apply (pinv_ok tbl rho v good) in I.
    intros K. rewrite (some_inj K). say. simpl in H. split; [|split; auto].
    + rewrite psub_ok, mulok, I, one_ok, Rinv_r by auto. ring.
    + destruct (holdsf l i GT p) eqn:G; [|exact Logic.I]. apply (holdsf_ok rho _ _ _ _ L) in G. say. cbn [says] in G.
      rewrite I. apply Rinv_0_lt_compat. auto.
  - destruct (holdsf l i GE p) eqn:H; [|discriminate]. apply (holdsf_ok rho _ _ _ _ L) in H. cbn [says] in H.
    destruct (atom tbl _) as [q|] eqn:I; [|discriminate]. apply (atom_ok tbl rho v good) in I. cbn [aval] in I.
    intros K. rewrite (some_inj K). destruct (root_ok n _ H) as [R1 R2]. say. split; [|split; auto].
    + rewrite psub_ok, powok, I, R1. ring.
    + destruct (holdsf l i GT p) eqn:G; cbn [says]; rewrite I; auto. apply (holdsf_ok rho _ _ _ _ L) in G.
      apply root_pos, G.
  - destruct (pexp tbl p) as [e|] eqn:E; [|discriminate]. apply (pexp_ok tbl rho v good) in E.
    intros K. rewrite (some_inj K). say. rewrite psub_ok, padd_ok, one_ok, E.
    pose proof (exp_ge (ev p)). pose proof (exp_pos (ev p)). repeat split; lra.
  - destruct (holdsf l i GT p) eqn:H; [|discriminate]. apply (holdsf_ok rho _ _ _ _ L) in H. cbn [says] in H.
    destruct (plog tbl p) as [g|] eqn:G; [|discriminate]. apply (plog_ok tbl rho v good) in G.
    destruct (pexp tbl g) as [e|] eqn:E; [|discriminate]. apply (pexp_ok tbl rho v good) in E.
    intros K. rewrite (some_inj K). say. rewrite !psub_ok, mulok, one_ok, E, G, exp_ln by auto.
    pose proof (ln_le _ H). pose proof (ln_ge _ H). repeat split; lra.
  - destruct (pexp tbl p) as [e|] eqn:E; [|discriminate]. apply (pexp_ok tbl rho v good) in E.
    destruct (plog tbl e) as [g|] eqn:G; [|discriminate]. apply (plog_ok tbl rho v good) in G.
    intros K. rewrite (some_inj K). say. rewrite psub_ok, G, E, ln_exp. ring.
  - destruct (logs tbl l l0) as [[[d u] t]|] eqn:E; [|discriminate]. apply (logs_ok _ _ L) in E.
    destruct E as [D [U T]]. destruct (holdsf l i EQ _) eqn:H; [|discriminate].
    apply (holdsf_ok rho _ _ _ _ L) in H. cbn [says] in H. rewrite psub_ok in H.
    intros K. rewrite (some_inj K). say. rewrite T. replace (ev u) with (ev d) by lra. ring.
  - destruct (holdsf l i GT x) eqn:H; [|discriminate]. apply (holdsf_ok rho _ _ _ _ L) in H. cbn [says] in H.
    destruct (atom tbl _) as [a|] eqn:A; [|discriminate]. apply (atom_ok tbl rho v good) in A. cbn [aval] in A.
    destruct (plog tbl x) as [g|] eqn:G; [|discriminate]. apply (plog_ok tbl rho v good) in G.
    destruct (pexp tbl _) as [e|] eqn:E; [|discriminate]. apply (pexp_ok tbl rho v good) in E.
    intros K. rewrite (some_inj K). say. rewrite psub_ok, E, mulok, G, A, power_ok by auto.
    split; [ring|split; auto; apply exp_pos].
  - destruct (pmax tbl p q) as [a|] eqn:A; [|discriminate]. apply (pmax_ok tbl rho v good) in A.
    intros K. rewrite (some_inj K). say. rewrite !psub_ok, A.
    pose proof (Rmax_l (ev p) (ev q)). pose proof (Rmax_r (ev p) (ev q)).
    repeat split; try lra. unfold Rmax. destruct (Rle_dec _ _); lra.
Qed.
End Rules.
