(* Two theorems that are printed and false, each with its counterexample. *)
From RgmByHand Require Export Privacy.

(* ---------------------------------------------------------------- Theorem 1, as version 1 prints it *)

Definition theorem_1_version_1 : Prop :=
  forall (Data : Type) (neighbours : Data -> Data -> Prop) d (query : Data -> vec d) eta Rel gamma sigma2 alpha,
  (forall x y, neighbours x y -> neighbours y x) ->
  relative_sensitivity neighbours query eta Rel ->
  0 < eta <= 1 -> 0 <= Rel -> 0 < gamma -> 0 < sigma2 ->
  1 < alpha < (1 + eta) ^ 2 / (2 * eta + eta ^ 2) ->
  sigma2 >= gamma / eta ^ 2 * (1 - eta * (alpha - 1)) * Rel ^ 2 ->
  renyi_private neighbours (fun x => rgm gamma sigma2 (query x)) alpha
    (alpha * eta ^ 2 / (2 * gamma) * (/ (1 - eta * (alpha - 1) * (2 + eta)) + gamma * INR d * (2 + eta) ^ 2)).

(* Outputs 11 and 10 on an axis of R^22, with eta = 1/10, gamma = 1, sigma^2 = 1/1000, at the order 11/2: the
   divergence is above 3.9, and printed is less than 3.2. *)
Definition witness (longer : bool) : vec 22 := axis (n := 21) (if longer then 11 else 10).

(* refutes: rgm-v1:theorem-1 *)
Theorem theorem_1_version_1_false : ~ theorem_1_version_1.
Proof.
  intros T.
  destruct (T bool (fun _ _ => True) 22%nat witness (1 / 10) 0 1 (1 / 1000) (11 / 2)) with (x := true) (y := false)
    as [D [H L]]; try lra; try easy.
  { intros [|] [|] _; unfold witness; rewrite dist2_axis, norm2_axis; lra. }
  unfold rgm, variance, witness in H. rewrite !norm2_axis in H.
  set (v := 1 * (11 * 11) + 1 / 1000) in *. set (w := 1 * (10 * 10) + 1 / 1000) in *.
  pose proof (lemma_2_variances 22 (axis (n := 21) 11) (axis (n := 21) 10) (11 / 2) v w ltac:(lra) ltac:(unfold v; lra)
    ltac:(unfold w; lra) ltac:(unfold v, w; lra)) as K.
  rewrite (renyi_unique _ _ _ _ _ H K), dist2_axis, divergence_phi in L by (unfold v, w; lra).
  assert (R : ln (w / v) >= - (v / w - 1)).
  { pose proof (log_below (v / w) ltac:(unfold v, w; lra)) as B. rewrite ln_div in * by (unfold v, w; lra). lra. }
  assert (M : ln (1 + 11 / 2 * (w / v - 1)) <= 8 * (68 / 100 - 1)).
  { apply Rle_trans with (ln ((68 / 100) ^ 8)).
    - apply ln_le; unfold v, w; lra.
    - rewrite ln_pow by lra. pose proof (log_below (68 / 100) ltac:(lra)). simpl INR. lra. }
  unfold phi in L. replace (INR 22) with 22 in L by (simpl; lra).
  assert (Ph : 11 / 2 * - (v / w - 1) - 8 * (68 / 100 - 1) <= 11 / 2 * ln (w / v) - ln (1 + 11 / 2 * (w / v - 1)))
    by lra.
  set (p := 11 / 2 * ln (w / v) - ln (1 + 11 / 2 * (w / v - 1))) in *. clearbody p. unfold v, w in *. lra.
Qed.

(* ---------------------------------------------------------------- Theorem 2 *)

(* "m is the mean of h after t steps of private gradient descent from theta": a step moves against a release of the
   gradient, and the other steps go on from there. *)
Fixpoint mean_after {d : nat} (grad : vec d -> vec d) (gamma sigma2 tau : R) (h : vec d -> R) (t : nat)
  (theta : vec d) (m : R) : Prop :=
  match t with
  | O => m = h theta
  | S t' => exists later : vec d -> R, (forall next, mean_after grad gamma sigma2 tau h t' next (later next)) /\
      integral (fun release => rgm gamma sigma2 (grad theta) release * later (add theta (- tau) release)) m
  end.

Definition theorem_2 : Prop :=
  forall (Data : Type) (neighbours : Data -> Data -> Prop) d (f : Data -> vec d -> R) (grad : Data -> vec d -> vec d)
    mu L eta Rel gamma sigma2 alpha tau,
  (* Strongly convex and smooth, with this gradient. *)
  0 < mu ->
  (forall x theta other,
    mu / 2 * dist2 other theta <= f x other - f x theta - dot (grad x theta) (add other (-1) theta) <=
    L / 2 * dist2 other theta) ->
  (* The gradients satisfy relative sensitivity, and gamma and sigma are set as in Theorem 1. *)
  (forall x y, neighbours x y -> neighbours y x) ->
  (forall theta, relative_sensitivity neighbours (fun x => grad x theta) eta Rel) ->
  0 < eta -> 0 <= Rel -> 0 < gamma -> 0 < sigma2 ->
  1 < alpha < (1 + eta) ^ 2 / (2 * eta + eta ^ 2) ->
  sigma2 >= gamma / eta ^ 2 * (1 - eta * (alpha - 1)) * Rel ^ 2 ->
  0 < tau <= / (L + gamma) ->
  forall x least, (forall theta, f x least <= f x theta) ->
  forall start t m, mean_after (grad x) gamma sigma2 tau (fun theta => dist2 theta least) t start m ->
  m <= (1 - tau * mu) ^ t * dist2 start least + tau * sigma2 / mu.

(* The second moment of a standard normal law. *)
Lemma bell_vanishes (F : (R -> Prop) -> Prop) : Filter F -> (forall b, 0 < b -> F (fun x => b < Rabs x)) ->
  filterlim (fun x => - x * bell x) F (locally 0).
Proof.
  intros FF H. apply (filterlim_locally (fun x => - x * bell x) 0). intros eps. pose proof (cond_pos eps) as E.
  apply (filter_imp (fun x => 2 / eps < Rabs x)); [|apply H, Rdiv_lt_0_compat; lra]. intros x X.
  assert (P : 0 < 2 / eps) by (apply Rdiv_lt_0_compat; lra).
  unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  rewrite Ropp_0, Rplus_0_r, Rabs_mult, Rabs_Ropp, (Rabs_right (bell x)) by (apply Rle_ge, Rlt_le, exp_pos).
  apply (Rmult_lt_reg_r (Rabs x)); [lra|].
  replace (Rabs x * bell x * Rabs x) with (bell x * (Rabs x * Rabs x)) by ring.
  rewrite <- Rabs_mult, (Rabs_right (x * x)) by nra. eapply Rle_lt_trans; [apply bell_square|].
  apply (Rmult_lt_compat_l eps) in X; [|exact E].
  replace (eps * (2 / eps)) with 2 in X by (field; lra). exact X.
Qed.

Lemma line_second : over_line (fun x => x * x * line 0 1 x) 1.
Proof.
  assert (D : over_line (fun x => x * x * bell x - bell x) (0 - 0)).
  { apply (over_line_primitive (fun x => - x * bell x)).
    - intros x. unfold bell. auto_derive; [exact I|]. unfold Rdiv. field.
    - intros x. apply (ex_derive_continuous (fun x => x * x * bell x - bell x)). unfold bell. auto_derive. exact I.
    - apply bell_vanishes; [apply Rbar_locally_filter|]. intros b B. exists (- b). intros x X.
      rewrite Rabs_left; lra.
    - apply bell_vanishes; [apply Rbar_locally_filter|]. intros b B. exists b. intros x X. rewrite Rabs_right; lra. }
  pose proof (over_line_plus _ _ _ _ D bell_total) as H. pose proof two_pi as T.
  assert (P : 0 < sqrt (2 * PI)) by (apply sqrt_lt_R0, T).
  apply (over_line_scal _ (/ sqrt (2 * PI))) in H.
  replace (/ sqrt (2 * PI) * (0 - 0 + sqrt (2 * PI))) with 1 in H by (field; lra).
  revert H. apply over_line_ext. intros x. unfold line, bell. rewrite Rmult_1_r.
  replace (- ((x + -1 * 0) * (x + -1 * 0)) / (2 * 1)) with (- (x * x) / 2) by field. ring.
Qed.

Lemma second_moment d : integral (fun u : vec d => normal (constant 0) 1 u * norm2 u) (INR d).
Proof.
  induction d as [|n IH]; [simpl; unfold norm2; simpl; ring|].
  replace (INR (S n)) with (1 * 1 + 1 * INR n) by (rewrite S_INR; ring).
  apply (integral_ext (d := S n) (fun u => fst u * fst u * line 0 1 (fst u) * normal (constant 0) 1 (snd u) +
    line 0 1 (fst u) * (normal (constant 0) 1 (snd u) * norm2 (snd u)))).
  - intros u. rewrite (normal_step (constant 0) 1 u Rlt_0_1). unfold norm2. simpl. ring.
  - apply integral_plus.
    + exact (integral_product _ _ _ _ line_second (normal_total n (constant 0) 1 Rlt_0_1)).
    + exact (integral_product _ _ _ _ (line_total 0 1 Rlt_0_1) IH).
Qed.

Lemma dot_constant_0 {d} (u : vec d) : dot (constant 0) u = 0.
Proof. induction d as [|n IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

(* Two data sets with the curvatures 1 and 11/10, in dimension 4 with gamma = 9/10, sigma = 1 and the step 1/2: after
   one step from the minimiser the mean squared distance is 1, and printed is 1/2. *)
Definition curvature (steeper : bool) : R := if steeper then 11 / 10 else 1.

(* refutes: rgm:theorem-2 *)
Theorem theorem_2_false : ~ theorem_2.
Proof.
  intros T. enough (1 <= (1 - 1 / 2 * 1) ^ 1 * dist2 (constant (d := 4) 0) (constant 0) + 1 / 2 * 1 / 1) as H.
  { rewrite dist2_expand, norm2_constant_0, dot_constant_0 in H. lra. }
  apply (T bool (fun _ _ => True) 4%nat (fun x theta => curvature x / 2 * norm2 theta)
    (fun x theta => add (constant 0) (curvature x) theta) 1 (11 / 10) (1 / 10) 0 (9 / 10) 1 2) with (x := false);
    try lra; try easy.
  - intros x theta other. rewrite dot_add, dot_constant_0, dist2_expand, (dot_sym theta), dot_add.
    pose proof (dist2_nonneg other theta) as N. rewrite dist2_expand in N. unfold norm2 in *.
    rewrite (dot_sym other theta) in *. assert (1 <= curvature x <= 11 / 10) by (unfold curvature; destruct x; lra).
    nra.
  - intros theta x y _. rewrite dist2_expand, !norm2_add, !dot_add, !dot_constant_0, !norm2_constant_0.
    rewrite (dot_sym theta (add _ _ _)), dot_add, dot_constant_0. fold (norm2 theta).
    pose proof (norm2_nonneg theta). unfold curvature. destruct x, y; lra.
  - intros theta. rewrite norm2_constant_0. pose proof (norm2_nonneg theta). unfold curvature. lra.
  - exists (fun next => dist2 next (constant 0)). split; [reflexivity|].
    apply (integral_ext (fun u => 1 / 4 * (normal (constant 0) 1 u * norm2 u))).
    + intros u. unfold rgm, variance.
      rewrite norm2_add, dot_constant_0, !norm2_constant_0.
      replace (9 / 10 * _ + 1) with 1 by ring.
      replace (add (constant 0) (curvature false) (constant 0)) with (constant (d := 4) 0)
        by (simpl; repeat f_equal; ring).
      rewrite dist2_expand, norm2_add, !(dot_sym _ (constant 0)), !dot_constant_0, !norm2_constant_0. field.
    + pose proof (integral_scal _ (1 / 4) _ (second_moment 4)) as M.
      replace (1 / 4 * INR 4) with 1 in M by (simpl; lra). exact M.
Qed.
