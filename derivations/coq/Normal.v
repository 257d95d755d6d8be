(* Normal laws of R^d with the same variance in every coordinate, the Rényi divergence, and Lemma 2 of the paper. *)
From RgmByHand Require Export Integral.

(* The density at u of the normal law with mean m and variance v per coordinate. *)
Definition normal {d : nat} (m : vec d) (v : R) (u : vec d) : R :=
  / sqrt (2 * PI * v) ^ d * exp (- dist2 u m / (2 * v)).

(* "The Rényi divergence of order alpha of p from q is finite, and it is D", for positive densities. *)
Definition renyi {d : nat} (alpha : R) (p q : vec d -> R) (D : R) : Prop :=
  exists total, integral (fun u => Rpower (p u) alpha * Rpower (q u) (1 - alpha)) total /\
    0 < total /\ D = / (alpha - 1) * ln total.

(* ---------------------------------------------------------------- the Gaussian integral *)

Definition bell (x : R) : R := exp (- (x * x) / 2).
Definition primitive (x : R) : R := RInt bell 0 x.
Definition slope (x t : R) : R := exp (- (x * x) * (1 + t * t) / 2) / (1 + t * t).
Definition tail (x : R) : R := RInt (slope x) 0 1.

Lemma square_plus (t : R) : 0 < 1 + t * t.
Proof. nra. Qed.

Lemma bell_continuous x : continuous bell x.
Proof. apply (ex_derive_continuous bell). unfold bell. auto_derive. exact I. Qed.

Lemma bell_integrable a b : ex_RInt bell a b.
Proof. apply integrable, bell_continuous. Qed.

Lemma primitive_derive (x : R) : is_derive primitive x (bell x).
Proof.
  apply (is_derive_RInt bell primitive 0 x); [|apply bell_continuous].
  apply filter_forall. intros y. apply integrates, bell_continuous.
Qed.

Lemma slope_continuous (x t : R) : continuous (slope x) t.
Proof.
  apply (ex_derive_continuous (slope x)). unfold slope. auto_derive. pose proof (square_plus t). lra.
Qed.

Lemma slope_derive (x t : R) : is_derive (fun y => slope y t) x (- x * exp (- (x * x) * (1 + t * t) / 2)).
Proof. unfold slope. auto_derive; [exact I|]. pose proof (square_plus t). unfold Rdiv. field. lra. Qed.

Lemma tail_derive (x : R) : is_derive tail x (- bell x * primitive x).
Proof.
  assert (E : forall u t, Derive (fun z => slope z t) u = - u * exp (- (u * u) * (1 + t * t) / 2)).
  { intros u t. apply is_derive_unique, slope_derive. }
  replace (- bell x * primitive x) with (RInt (fun t => Derive (fun u => slope u t) x) 0 1).
  - apply (is_derive_RInt_param slope 0 1 x).
    + apply filter_forall. intros y t _. eexists. apply slope_derive.
    + intros t _. apply (continuity_2d_pt_ext (fun u v => - u * exp (- (u * u) * (1 + v * v) / 2))).
      * intros u v. symmetry. apply E.
      * apply continuity_2d_pt_mult; [apply continuity_2d_pt_opp, continuity_2d_pt_id1|].
        apply (continuity_1d_2d_pt_comp exp (fun u v => - (u * u) * (1 + v * v) / 2)).
        { apply derivable_continuous_pt, derivable_pt_exp. }
        apply continuity_2d_pt_mult; [|apply continuity_2d_pt_const].
        apply continuity_2d_pt_mult.
        { apply continuity_2d_pt_opp, continuity_2d_pt_mult; apply continuity_2d_pt_id1. }
        apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|].
        apply continuity_2d_pt_mult; apply continuity_2d_pt_id2.
    + apply filter_forall. intros y. apply integrable, slope_continuous.
  - rewrite (RInt_ext _ (fun t => scal (- bell x) (scal x (bell (x * t + 0))))).
    + assert (C : ex_RInt (fun t => scal x (bell (x * t + 0))) 0 1).
      { apply integrable. intros t. apply (ex_derive_continuous (fun t => x * bell (x * t + 0))).
        unfold bell. auto_derive. exact I. }
      etransitivity; [exact (RInt_scal (V := R_CompleteNormedModule) _ 0 1 (- bell x) C)|].
      assert (L : RInt (fun t => x * (bell (x * t + 0))) 0 1 = RInt bell (x * 0 + 0) (x * 1 + 0)) by
        exact (RInt_comp_lin (V := R_CompleteNormedModule) bell x 0 0 1 (bell_integrable _ _)).
      unfold primitive. replace (x * 0 + 0) with 0 in L by ring. replace (x * 1 + 0) with x in L by ring.
      change (- bell x * RInt (fun t => scal x (bell (x * t + 0))) 0 1 = - bell x * RInt bell 0 x).
      apply f_equal. exact L.
    + intros t _. rewrite E. unfold bell, scal; simpl; unfold mult; simpl.
      replace (- (x * x) * (1 + t * t) / 2) with (- (x * x) / 2 + - ((x * t + 0) * (x * t + 0)) / 2) by field.
      rewrite exp_plus. ring.
Qed.

Lemma tail_bounds x : 0 <= tail x <= bell x.
Proof.
  assert (I : ex_RInt (slope x) 0 1) by (apply integrable, slope_continuous).
  split.
  - apply RInt_ge_0; [lra | exact I |]. intros t _. unfold slope.
    apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos | apply square_plus].
  - replace (bell x) with (RInt (fun _ => bell x) 0 1)
      by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
    apply RInt_le; [lra | exact I | apply ex_RInt_const |]. intros t _. unfold slope, bell.
    apply (Rmult_le_reg_r (1 + t * t)); [apply square_plus|]. unfold Rdiv at 1.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by (pose proof (square_plus t); lra).
    assert (exp (- (x * x) * (1 + t * t) / 2) <= exp (- (x * x) / 2)).
    { destruct (Req_dec (x * t) 0) as [Z|Z].
      - apply Req_le. f_equal. replace (- (x * x) * (1 + t * t) / 2) with (- (x * x) / 2 - (x * t) * (x * t) / 2)
          by field. rewrite Z. field.
      - apply Rlt_le, exp_increasing. assert (0 < (x * t) * (x * t)) by nra. lra. }
    pose proof (exp_pos (- (x * x) / 2)). nra.
Qed.

Lemma tail_0 : tail 0 = PI / 4.
Proof.
  unfold tail. rewrite (RInt_ext _ (fun t => / (1 + t * t))).
  - assert (A : is_RInt (fun t => / (1 + t * t)) 0 1 (minus (atan 1) (atan 0))).
    { apply (is_RInt_derive atan).
      - intros t _. exact (is_derive_atan t).
      - intros t _. apply (ex_derive_continuous (fun t => / (1 + t * t))). auto_derive.
        pose proof (square_plus t). lra. }
    etransitivity; [exact (is_RInt_unique (V := R_CompleteNormedModule) _ 0 1 _ A)|].
    rewrite atan_1, atan_0. change (PI / 4 + - 0 = PI / 4). ring.
  - intros t _. unfold slope. replace (- (0 * 0) * (1 + t * t) / 2) with 0 by field. rewrite exp_0.
    apply Rmult_1_l.
Qed.

Lemma primitive_square x : primitive x * primitive x + 2 * tail x = PI / 2.
Proof.
  set (F := fun y => primitive y * primitive y + 2 * tail y).
  assert (D : forall y, is_derive F y 0).
  { intros y. unfold F. evar_last.
    - apply (is_derive_plus (fun y => primitive y * primitive y) (fun y => 2 * tail y)).
      + apply (is_derive_mult primitive primitive y (bell y) (bell y)); try apply primitive_derive.
        intros; apply Rmult_comm.
      + apply (is_derive_scal tail y 2), tail_derive.
    - unfold plus, mult; simpl. ring. }
  destruct (MVT_gen F 0 x (fun _ => 0)) as [c [_ E]].
  - intros y _. apply D.
  - intros y _. apply derivable_continuous_pt. exists 0. apply is_derive_Reals, D.
  - change (F x = PI / 2). replace (F x) with (F 0) by lra. unfold F. rewrite tail_0.
    unfold primitive. rewrite RInt_point. unfold zero; simpl. field.
Qed.

Lemma primitive_opp x : primitive (- x) = - primitive x.
Proof.
  assert (E : RInt (fun y => opp (bell (- y))) 0 x = RInt bell (- 0) (- x)) by
    (apply is_RInt_unique; apply (is_RInt_comp_opp bell), integrates, bell_continuous).
  unfold primitive. rewrite Ropp_0 in E. rewrite <- E, (RInt_ext _ (fun y => opp (bell y))).
  - exact (RInt_opp bell 0 x (bell_integrable 0 x)).
  - intros y _. unfold bell. do 2 f_equal. field.
Qed.

Lemma bell_square x : bell x * (x * x) <= 2.
Proof.
  unfold bell. replace (- (x * x) / 2) with (- (x * x / 2)) by field. rewrite exp_Ropp.
  pose proof (exp_ineq1_le (x * x / 2)). pose proof (exp_pos (x * x / 2)).
  apply (Rmult_le_reg_l (exp (x * x / 2))); [assumption|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
Qed.

Lemma primitive_limit : filterlim primitive (Rbar_locally p_infty) (locally (sqrt (PI / 2))).
Proof.
  pose proof PI_RGT_0. set (c := sqrt (PI / 2)). assert (C : 0 < c) by (apply sqrt_lt_R0; lra).
  assert (CC : c * c = PI / 2) by (apply sqrt_sqrt; lra).
  apply (filterlim_locally primitive c). intros eps. exists (Rmax 1 (4 / (c * eps))). intros x X.
  assert (X1 : 1 < x) by (pose proof (Rmax_l 1 (4 / (c * eps))); lra).
  assert (X2 : 4 / (c * eps) < x) by (pose proof (Rmax_r 1 (4 / (c * eps))); lra).
  pose proof (cond_pos eps) as E. pose proof (primitive_square x) as S. pose proof (tail_bounds x) as T.
  assert (P : 0 <= primitive x).
  { apply RInt_ge_0; [lra | apply bell_integrable |]. intros y _. apply Rlt_le, exp_pos. }
  pose proof (bell_square x) as B.
  assert (M : 4 < x * (c * eps)).
  { apply (Rmult_lt_compat_r (c * eps)) in X2; [|apply Rmult_lt_0_compat; assumption].
    unfold Rdiv in X2. rewrite Rmult_assoc, Rinv_l in X2 by (apply Rgt_not_eq, Rmult_lt_0_compat; assumption). lra. }
  assert (Q : 2 * bell x < c * eps).
  { apply (Rmult_lt_reg_r x); [lra|]. assert (bell x * x <= bell x * (x * x)); [|lra].
    apply Rmult_le_compat_l; [apply Rlt_le, exp_pos | nra]. }
  assert (D : (c - primitive x) * (c + primitive x) = 2 * tail x) by lra.
  unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  assert (0 <= c - primitive x).
  { destruct (Rle_lt_dec 0 (c - primitive x)) as [Y|N]; [exact Y|].
    pose proof (Rmult_lt_0_compat (primitive x - c) (c + primitive x) ltac:(lra) ltac:(lra)). lra. }
  apply Rabs_def1; [lra|]. apply (Rmult_lt_reg_l c); [exact C|].
  pose proof (Rmult_le_pos (c - primitive x) (primitive x) ltac:(lra) ltac:(lra)). lra.
Qed.

Lemma bell_total : over_line bell (sqrt (2 * PI)).
Proof.
  pose proof PI_RGT_0.
  assert (L : filterlim primitive (Rbar_locally m_infty) (locally (- sqrt (PI / 2)))).
  { apply (filterlim_ext (fun x => opp (primitive (- x)))).
    - intros x. rewrite primitive_opp. unfold opp; simpl. ring.
    - apply (filterlim_comp _ _ _ (fun x => primitive (- x)) opp _ (locally (sqrt (PI / 2)))).
      + apply (filterlim_comp _ _ _ Ropp primitive _ (Rbar_locally p_infty)); [|apply primitive_limit].
        apply (filterlim_Rbar_opp m_infty).
      + apply (filterlim_opp (V := R_NormedModule) (sqrt (PI / 2))). }
  replace (sqrt (2 * PI)) with (sqrt (PI / 2) - - sqrt (PI / 2)).
  - apply (over_line_primitive primitive); [apply primitive_derive | apply bell_continuous | exact L |].
    apply primitive_limit.
  - replace (2 * PI) with ((2 * 2) * (PI / 2)) by field. rewrite sqrt_mult by lra. rewrite sqrt_square by lra. ring.
Qed.

(* proves: rgm:a2-gaussian-integral *)
Theorem gaussian_integral a b c : 0 < a ->
  over_line (fun u => exp (- (a * u ^ 2 + b * u + c))) (sqrt (PI / a) * exp (b ^ 2 / (4 * a) - c)).
Proof.
  intros A. pose proof PI_RGT_0 as Pi. set (r := sqrt (2 * a)). assert (P : 0 < r) by (apply sqrt_lt_R0; lra).
  assert (RR : r * r = 2 * a) by (apply sqrt_sqrt; lra).
  pose proof (over_line_comp bell r (b / r) _ P bell_total) as I.
  apply (over_line_scal _ (exp (b ^ 2 / (4 * a) - c) / r)) in I.
  replace (exp (b ^ 2 / (4 * a) - c) / r * sqrt (2 * PI)) with (sqrt (PI / a) * exp (b ^ 2 / (4 * a) - c)) in I.
  - revert I. apply over_line_ext. intros u. unfold bell.
    replace (exp (b ^ 2 / (4 * a) - c) / r * (r * exp (- ((r * u + b / r) * (r * u + b / r)) / 2))) with
      (exp (b ^ 2 / (4 * a) - c) * exp (- ((r * u + b / r) * (r * u + b / r)) / 2)) by (field; lra).
    rewrite <- exp_plus. f_equal.
    replace ((r * u + b / r) * (r * u + b / r)) with (r * r * u ^ 2 + 2 * b * u + b ^ 2 / (r * r)) by (field; lra).
    rewrite RR. field. lra.
  - replace (2 * PI) with (r * r * (PI / a)) by (rewrite RR; field; lra).
    assert (0 < PI / a) by (apply Rdiv_lt_0_compat; lra).
    rewrite (sqrt_mult (r * r)), sqrt_square by nra. field. lra.
Qed.
