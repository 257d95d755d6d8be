(* The exact Rényi curve of the Relative Gaussian Mechanism: the least upper bound over all pairs of outputs that the
   relative sensitivity allows, in every dimension, for every noise that Theorem 1 of the paper allows. *)
From RgmByHand Require Export Lemma2.

Section Mechanism.
(* eta and R: the relative sensitivity; gamma and sigma2: the noise. *)
Variables (eta R gamma sigma2 : R).

Definition variance {d} (x : vec d) : Rdefinitions.R := gamma * norm2 x + sigma2.
(* The law of the release where the query has the value x. *)
Definition rgm {d} (x : vec d) : vec d -> Rdefinitions.R := normal x (variance x).
(* Definition 2, for two outputs on neighbours, in both orders. *)
Definition close {d} (x y : vec d) : Prop :=
  dist2 x y <= eta ^ 2 * norm2 x + R ^ 2 /\ dist2 x y <= eta ^ 2 * norm2 y + R ^ 2.
Definition rho (alpha : Rdefinitions.R) : Rdefinitions.R := 1 - eta * (alpha - 1) * (2 + eta).
(* The baseline noise of Theorem 1. *)
Definition baseline (alpha : Rdefinitions.R) : Prop := sigma2 >= gamma / eta ^ 2 * (1 - eta * (alpha - 1)) * R ^ 2.
Definition curve (d : nat) (alpha : Rdefinitions.R) : Rdefinitions.R :=
  alpha * eta ^ 2 / (2 * gamma * rho alpha) + INR d * (- ln (rho alpha) / (2 * (alpha - 1)) - ln (1 + eta)).
End Mechanism.

(* ---------------------------------------------------------------- the logarithm of Lemma 2 *)

(* For the ratio r of the second variance to the first; twice the logarithm. *)
Definition phi (alpha r : R) : R := alpha * ln r - ln (1 + alpha * (r - 1)).

Lemma divergence_phi d alpha gap2 v1 v2 : 1 < alpha -> 0 < v1 -> 0 < v2 -> 0 < alpha * v2 + (1 - alpha) * v1 ->
  divergence d alpha gap2 v1 v2 =
  alpha * gap2 / (2 * (alpha * v2 + (1 - alpha) * v1)) + INR d * (phi alpha (v2 / v1) / (2 * (alpha - 1))).
Proof.
  intros A V1 V2 S. rewrite divergence_logarithm by lra. unfold logarithm, phi.
  replace (1 + alpha * (v2 / v1 - 1)) with ((alpha * v2 + (1 - alpha) * v1) / v1) by (field; lra).
  rewrite !ln_div by assumption. field. lra.
Qed.

Lemma phi_derive alpha r : 0 < r -> 0 < 1 + alpha * (r - 1) ->
  is_derive (phi alpha) r (alpha * (alpha - 1) * (r - 1) / (r * (1 + alpha * (r - 1)))).
Proof. intros P Q. unfold phi. auto_derive; [lra|]. field. lra. Qed.

(* A function with a derivative of one sign is monotone. *)
Lemma rises (f df : R -> R) a b : a <= b -> (forall x, a <= x <= b -> is_derive f x (df x)) ->
  (forall x, a <= x <= b -> 0 <= df x) -> f a <= f b.
Proof.
  intros H D P. destruct (MVT_gen f a b df) as [c [C E]].
  - intros x X. rewrite Rmin_left, Rmax_right in X by exact H. apply D. lra.
  - intros x X. rewrite Rmin_left, Rmax_right in X by exact H. apply derivable_continuous_pt.
    exists (df x). apply is_derive_Reals, D. exact X.
  - rewrite Rmin_left, Rmax_right in C by exact H. pose proof (P c C). nra.
Qed.

Lemma phi_falls alpha r s : 1 < alpha -> 0 < r -> 0 < 1 + alpha * (r - 1) -> r <= s <= 1 -> phi alpha s <= phi alpha r.
Proof.
  intros A P Q [X Y].
  assert (- phi alpha r <= - phi alpha s); [|lra].
  apply (rises (fun x => - phi alpha x) (fun x => - (alpha * (alpha - 1) * (x - 1) / (x * (1 + alpha * (x - 1)))))).
  - exact X.
  - intros x I. apply (is_derive_opp (phi alpha)), phi_derive; nra.
  - intros x I. assert (0 < 1 + alpha * (x - 1)) by nra.
    replace (- (alpha * (alpha - 1) * (x - 1) / (x * (1 + alpha * (x - 1))))) with
      (alpha * (alpha - 1) * (1 - x) / (x * (1 + alpha * (x - 1)))) by (field; lra).
    apply Rdiv_le_0_compat; [|nra]. apply Rmult_le_pos; nra.
Qed.

(* Of a ratio and its inverse the smaller one is worse. *)
Lemma phi_inverse alpha v : 1 < alpha -> 1 <= v -> 0 < 1 + alpha * (/ v - 1) -> phi alpha v <= phi alpha (/ v).
Proof.
  intros A V Q. assert (I : 0 < / v) by (apply Rinv_0_lt_compat; lra).
  set (h := fun x => phi alpha (/ x) - phi alpha x).
  assert (h 1 <= h v); [|unfold h in *; rewrite Rinv_1 in *; lra].
  apply (rises h (fun x => alpha * (alpha - 1) * (x - 1) / (x * (x + alpha * (1 - x))) -
                           alpha * (alpha - 1) * (x - 1) / (x * (1 + alpha * (x - 1))))); [exact V | |].
  all: intros x X; assert (0 < x + alpha * (1 - x)) by
    (assert (0 < v * (1 + alpha * (/ v - 1))) by (apply Rmult_lt_0_compat; lra);
     replace (v * (1 + alpha * (/ v - 1))) with (v + alpha * (1 - v)) in * by (field; lra); nra).
  - assert (J : 0 < 1 + alpha * (/ x - 1)).
    { replace (1 + alpha * (/ x - 1)) with ((x + alpha * (1 - x)) / x) by (field; lra).
      apply Rdiv_lt_0_compat; lra. }
    unfold h, phi. auto_derive.
    + assert (0 < / x) by (apply Rinv_0_lt_compat; lra). repeat split; nra.
    + field. repeat split; try lra; try nra.
  - assert (0 <= alpha * (alpha - 1) * (x - 1)) by (apply Rmult_le_pos; nra).
    assert (/ (x * (1 + alpha * (x - 1))) <= / (x * (x + alpha * (1 - x)))).
    { apply Rinv_le_contravar; [nra|]. apply Rmult_le_compat_l; nra. }
    unfold Rdiv. nra.
Qed.

(* The logarithmic term is largest at the smallest ratio. *)
Lemma phi_worst alpha r v : 1 < alpha -> 1 <= v -> 0 < 1 + alpha * (/ v - 1) -> / v <= r <= v ->
  phi alpha r <= phi alpha (/ v).
Proof.
  intros A V Q [X Y]. assert (I : 0 < / v) by (apply Rinv_0_lt_compat; lra).
  destruct (Rle_lt_dec r 1) as [L|G]; [apply phi_falls; lra|].
  assert (/ v <= / r) by (apply Rinv_le_contravar; lra).
  assert (/ r <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  apply Rle_trans with (phi alpha (/ r)); [apply phi_inverse; [lra | lra |]; nra | apply phi_falls; lra].
Qed.

(* ---------------------------------------------------------------- admissible pairs *)

Section Pairs.
Variables (eta Rel gamma sigma2 alpha : R).
Hypotheses (Eta : 0 < eta) (Gamma : 0 < gamma) (Sigma : 0 < sigma2) (Alpha : 1 < alpha) (Range : 0 < rho eta alpha)
  (Baseline : baseline eta Rel gamma sigma2 alpha).
Let q := eta * (2 + eta).
Local Notation variance := (variance gamma sigma2).
Local Notation rgm := (rgm gamma sigma2).
Local Notation close := (close eta Rel).

Lemma variance_pos {d} (x : vec d) : 0 < variance x.
Proof. unfold variance. pose proof (norm2_nonneg x). nra. Qed.

(* |x|^2 <= (1 + eta) |y|^2 + (1 + 1/eta) |x - y|^2 *)
Lemma young {d} (x y : vec d) : eta * norm2 x <= eta * (1 + eta) * norm2 y + (1 + eta) * dist2 x y.
Proof.
  pose proof (norm2_nonneg (add x (- (1 + eta)) y)) as H. rewrite norm2_add in H. rewrite dist2_expand. nra.
Qed.

Lemma order_from_1 : eta * (alpha - 1) <= / (2 + eta).
Proof.
  unfold rho in Range. apply (Rmult_le_reg_r (2 + eta)); [lra|]. rewrite Rinv_l by lra. lra.
Qed.

(* The baseline noise, without fractions. *)
Lemma baseline_multiplied : gamma * (1 - eta * (alpha - 1)) * Rel ^ 2 <= eta ^ 2 * sigma2.
Proof.
  unfold baseline in Baseline. apply Rge_le in Baseline.
  apply (Rmult_le_compat_l (eta ^ 2)) in Baseline; [|nra].
  replace (eta ^ 2 * (gamma / eta ^ 2 * (1 - eta * (alpha - 1)) * Rel ^ 2)) with
    (gamma * (1 - eta * (alpha - 1)) * Rel ^ 2) in Baseline by (field; lra). exact Baseline.
Qed.

Lemma lemma_1_baseline : gamma * (1 + eta) * Rel ^ 2 <= eta ^ 2 * (2 + eta) * sigma2.
Proof.
  pose proof baseline_multiplied as B. pose proof order_from_1 as O.
  assert ((1 + eta) <= (2 + eta) * (1 - eta * (alpha - 1))).
  { apply (Rmult_le_compat_l (2 + eta)) in O; [|lra]. rewrite Rinv_r in O by lra. lra. }
  assert (0 <= gamma * Rel ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). nra.
Qed.

(* Lemma 1 of the paper. *)
Lemma lemma_1 {d} (x y : vec d) : close x y -> variance x <= (1 + eta) ^ 2 * variance y.
Proof.
  intros [_ C]. pose proof (young x y) as Y. pose proof lemma_1_baseline as B. unfold variance.
  apply (Rmult_le_reg_l eta); [exact Eta|].
  assert (gamma * (eta * norm2 x) <= gamma * (eta * (1 + eta) * norm2 y + (1 + eta) * (eta ^ 2 * norm2 y + Rel ^ 2))).
  { apply Rmult_le_compat_l; [lra|]. nra. }
  nra.
Qed.

Lemma close_sym {d} (x y : vec d) : close x y -> close y x.
Proof. intros [A B]. split; rewrite dist2_sym; assumption. Qed.

Lemma rho_q : rho eta alpha = 1 - (alpha - 1) * q.
Proof. unfold rho, q. ring. Qed.

Lemma mixed_pos {d} (x y : vec d) : close x y -> 0 < alpha * variance y + (1 - alpha) * variance x.
Proof.
  intros C. pose proof (lemma_1 x y C) as L. pose proof (variance_pos y) as P. pose proof rho_q as Q. unfold q in Q.
  assert ((alpha - 1) * variance x <= (alpha - 1) * ((1 + eta) ^ 2 * variance y)) by (apply Rmult_le_compat_l; lra).
  nra.
Qed.

Lemma mixed_main {d} (x y : vec d) : close x y ->
  gamma * rho eta alpha * dist2 x y <= eta ^ 2 * (alpha * variance y + (1 - alpha) * variance x).
Proof.
  intros [_ C]. pose proof (young x y) as Y. pose proof baseline_multiplied as B. unfold variance, rho.
  assert (O : 0 <= 1 - eta * (alpha - 1)).
  { pose proof order_from_1. assert (/ (2 + eta) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra. }
  assert (Y' : gamma * (alpha - 1) * eta * (eta * norm2 x) <=
    gamma * (alpha - 1) * eta * (eta * (1 + eta) * norm2 y + (1 + eta) * dist2 x y)).
  { apply Rmult_le_compat_l; [|exact Y]. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
  assert (C' : gamma * (1 - eta * (alpha - 1)) * dist2 x y <=
    gamma * (1 - eta * (alpha - 1)) * (eta ^ 2 * norm2 y + Rel ^ 2)).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact C]. }
  nra.
Qed.

Lemma renyi_finite {d} (x y : vec d) : close x y ->
  renyi alpha (rgm x) (rgm y) (divergence d alpha (dist2 x y) (variance x) (variance y)).
Proof. intros C. apply lemma_2_variances; try apply variance_pos; [exact Alpha | apply mixed_pos, C]. Qed.

Lemma main_term {d} (x y : vec d) : close x y ->
  alpha * dist2 x y / (2 * (alpha * variance y + (1 - alpha) * variance x)) <=
  alpha * eta ^ 2 / (2 * gamma * rho eta alpha).
Proof.
  intros C. pose proof (mixed_main x y C) as M. pose proof (mixed_pos x y C) as P.
  set (S := alpha * variance y + (1 - alpha) * variance x) in *.
  apply (Rmult_le_reg_r (2 * S * (gamma * rho eta alpha))).
  - apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; assumption.
  - replace (alpha * dist2 x y / (2 * S) * (2 * S * (gamma * rho eta alpha))) with
      (alpha * (gamma * rho eta alpha * dist2 x y)) by (field; lra).
    replace (alpha * eta ^ 2 / (2 * gamma * rho eta alpha) * (2 * S * (gamma * rho eta alpha))) with
      (alpha * (eta ^ 2 * S)) by (field; lra).
    apply Rmult_le_compat_l; [lra | exact M].
Qed.

Lemma worst_defined : 0 < 1 + alpha * (/ (1 + eta) ^ 2 - 1).
Proof.
  replace (1 + alpha * (/ (1 + eta) ^ 2 - 1)) with (rho eta alpha / (1 + eta) ^ 2) by (unfold rho; field; lra).
  apply Rdiv_lt_0_compat; nra.
Qed.

Lemma worst_log : phi alpha (/ (1 + eta) ^ 2) / (2 * (alpha - 1)) =
  - ln (rho eta alpha) / (2 * (alpha - 1)) - ln (1 + eta).
Proof.
  unfold phi. replace (1 + alpha * (/ (1 + eta) ^ 2 - 1)) with (rho eta alpha / (1 + eta) ^ 2)
    by (unfold rho; field; lra).
  rewrite ln_Rinv, ln_div, ln_pow by nra. simpl INR. field. lra.
Qed.

Lemma ratio_in_range {d} (x y : vec d) : close x y ->
  / (1 + eta) ^ 2 <= variance y / variance x <= (1 + eta) ^ 2.
Proof.
  intros C. pose proof (lemma_1 x y C) as L. pose proof (lemma_1 y x (close_sym x y C)) as M.
  pose proof (variance_pos x) as X. assert (0 < (1 + eta) ^ 2) by nra. split.
  - apply (Rmult_le_reg_r (variance x * (1 + eta) ^ 2)); [apply Rmult_lt_0_compat; assumption|].
    replace (/ (1 + eta) ^ 2 * (variance x * (1 + eta) ^ 2)) with (variance x) by (field; lra).
    replace (variance y / variance x * (variance x * (1 + eta) ^ 2)) with ((1 + eta) ^ 2 * variance y) by (field; lra).
    exact L.
  - apply (Rmult_le_reg_r (variance x)); [exact X|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma log_term {d} (x y : vec d) : close x y ->
  phi alpha (variance y / variance x) <= phi alpha (/ (1 + eta) ^ 2).
Proof. intros C. apply phi_worst; [exact Alpha | nra | apply worst_defined | apply ratio_in_range, C]. Qed.

Lemma divergence_at_most {d} (x y : vec d) : close x y ->
  divergence d alpha (dist2 x y) (variance x) (variance y) <= curve eta gamma d alpha.
Proof.
  intros C. rewrite divergence_phi by first [exact Alpha | apply variance_pos | apply mixed_pos, C].
  unfold curve. rewrite <- worst_log. apply Rplus_le_compat; [apply main_term, C|].
  apply Rmult_le_compat_l; [apply pos_INR|]. unfold Rdiv at 1 3.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | apply log_term, C].
Qed.

(* ---------------------------------------------------------------- the worst pair *)

(* The divergence of the pair (1 + eta) t and t on an axis, in terms of s = sigma^2 / t^2. *)
Definition at_noise (d : nat) (s : R) : R :=
  alpha * eta ^ 2 / (2 * (alpha * (gamma + s) + (1 - alpha) * (gamma * (1 + eta) ^ 2 + s))) +
  INR d * (phi alpha ((gamma + s) / (gamma * (1 + eta) ^ 2 + s)) / (2 * (alpha - 1))).

Lemma at_noise_0 d : at_noise d 0 = curve eta gamma d alpha.
Proof.
  unfold at_noise, curve. rewrite <- worst_log, !Rplus_0_r.
  replace (gamma / (gamma * (1 + eta) ^ 2)) with (/ (1 + eta) ^ 2) by (field; lra).
  replace (alpha * gamma + (1 - alpha) * (gamma * (1 + eta) ^ 2)) with (gamma * rho eta alpha) by (unfold rho; ring).
  rewrite Rmult_assoc. reflexivity.
Qed.

Lemma at_noise_continuous d : continuous (at_noise d) 0.
Proof.
  apply (ex_derive_continuous (at_noise d)). unfold at_noise, phi. auto_derive.
  assert (0 < (1 + eta) ^ 2) by nra. assert (0 < gamma * (1 + eta) ^ 2) by (apply Rmult_lt_0_compat; lra).
  pose proof worst_defined as W.
  replace ((gamma + 0) * / (gamma * ((1 + eta) * ((1 + eta) * 1)) + 0)) with (/ (1 + eta) ^ 2) by (field; lra).
  unfold rho in Range. repeat split; try lra; try nra.
Qed.

Lemma worst_pair n t : t <> 0 -> close (axis (n := n) ((1 + eta) * t)) (axis t) /\
  divergence (S n) alpha (dist2 (axis (n := n) ((1 + eta) * t)) (axis t)) (variance (axis (n := n) ((1 + eta) * t)))
    (variance (axis (n := n) t)) = at_noise (S n) (sigma2 / (t * t)).
Proof.
  intros T. assert (TT : 0 < t * t) by nra.
  assert (C : close (axis (n := n) ((1 + eta) * t)) (axis t)).
  { unfold close. rewrite dist2_axis, !norm2_axis.
    replace (((1 + eta) * t - t) * ((1 + eta) * t - t)) with (eta ^ 2 * (t * t)) by ring.
    pose proof (pow2_ge_0 Rel). pose proof (pow2_ge_0 eta). split; [|lra].
    assert (eta ^ 2 * (t * t) <= eta ^ 2 * ((1 + eta) * t * ((1 + eta) * t))); [|lra].
    apply Rmult_le_compat_l; [assumption|].
    replace ((1 + eta) * t * ((1 + eta) * t)) with ((1 + eta) ^ 2 * (t * t)) by ring.
    assert (1 <= (1 + eta) ^ 2) by nra. nra. }
  split; [exact C|]. rewrite divergence_phi by first [exact Alpha | apply variance_pos | apply mixed_pos, C].
  pose proof (mixed_pos _ _ C) as M. revert M. unfold at_noise, variance. rewrite dist2_axis, !norm2_axis. intros M.
  set (X := gamma * ((1 + eta) * t * ((1 + eta) * t)) + sigma2) in *. set (Y := gamma * (t * t) + sigma2) in *.
  replace (gamma + sigma2 / (t * t)) with (Y / (t * t)) by (unfold Y; field; lra).
  replace (gamma * (1 + eta) ^ 2 + sigma2 / (t * t)) with (X / (t * t)) by (unfold X; field; lra).
  replace (alpha * (Y / (t * t)) + (1 - alpha) * (X / (t * t))) with ((alpha * Y + (1 - alpha) * X) / (t * t))
    by (field; lra).
  set (Z := alpha * Y + (1 - alpha) * X) in *. clearbody Z.
  assert (0 < X).
  { unfold X. pose proof (Rle_0_sqr ((1 + eta) * t)) as Q. unfold Rsqr in Q. nra. }
  f_equal; [field; lra | do 3 f_equal; field; lra].
Qed.
End Pairs.

(* ---------------------------------------------------------------- the theorems *)

(* Every admissible pair has a finite divergence, at most the curve. *)
(* proves: beyond:exact-renyi-upper *)
Theorem curve_bounds d (x y : vec d) eta Rel gamma sigma2 alpha :
  0 < eta -> 0 < gamma -> 0 < sigma2 -> 1 < alpha -> 0 < rho eta alpha -> baseline eta Rel gamma sigma2 alpha ->
  close eta Rel x y ->
  exists D, renyi alpha (rgm gamma sigma2 x) (rgm gamma sigma2 y) D /\ D <= curve eta gamma d alpha.
Proof.
  intros E G S A Rho B C. eexists. split.
  - exact (renyi_finite eta Rel gamma sigma2 alpha E G S A Rho B x y C).
  - exact (divergence_at_most eta Rel gamma sigma2 alpha E G S A Rho B x y C).
Qed.

(* Without absolute terms the pair (1 + eta) y and y, which is admissible, has this divergence. *)
(* proves: beyond:exact-renyi-attained *)
Theorem curve_attained d (y : vec d) eta gamma alpha :
  0 < norm2 y -> 0 < eta -> 0 < gamma -> 1 < alpha -> 0 < rho eta alpha ->
  close eta 0 (add y eta y) y /\ renyi alpha (rgm gamma 0 (add y eta y)) (rgm gamma 0 y) (curve eta gamma d alpha).
Proof.
  intros Y E G A Rho. fold (norm2 y) in *. set (b := norm2 y) in *.
  assert (X : norm2 (add y eta y) = (1 + eta) ^ 2 * b) by (rewrite norm2_add; fold (norm2 y); fold b; ring).
  assert (D : dist2 (add y eta y) y = eta ^ 2 * b).
  { rewrite dist2_expand, X, dot_add. fold (norm2 y). fold b. ring. }
  assert (V : 1 <= (1 + eta) ^ 2) by nra. pose proof (pow2_ge_0 eta) as E2. split.
  - unfold close. rewrite D, X. fold b. split; [|lra]. assert (eta ^ 2 * b <= eta ^ 2 * ((1 + eta) ^ 2 * b)); [|lra].
    apply Rmult_le_compat_l; nra.
  - unfold rgm, variance. rewrite X. fold b. rewrite !Rplus_0_r.
    assert (P1 : 0 < gamma * ((1 + eta) ^ 2 * b)) by (repeat apply Rmult_lt_0_compat; lra).
    assert (P2 : 0 < gamma * b) by (apply Rmult_lt_0_compat; lra).
    assert (M : alpha * (gamma * b) + (1 - alpha) * (gamma * ((1 + eta) ^ 2 * b)) = gamma * b * rho eta alpha) by
      (unfold rho; ring).
    assert (P : 0 < alpha * (gamma * b) + (1 - alpha) * (gamma * ((1 + eta) ^ 2 * b))) by
      (rewrite M; apply Rmult_lt_0_compat; lra).
    pose proof (lemma_2_variances d (add y eta y) y alpha _ _ A P1 P2 P) as H.
    rewrite divergence_phi, M, D in H by assumption.
    replace (gamma * b / (gamma * ((1 + eta) ^ 2 * b))) with (/ (1 + eta) ^ 2) in H by (field; lra).
    rewrite (worst_log eta alpha E A Rho) in H. unfold curve.
    replace (alpha * eta ^ 2 / (2 * gamma * rho eta alpha)) with
      (alpha * (eta ^ 2 * b) / (2 * (gamma * b * rho eta alpha))) by (field; lra). exact H.
Qed.

(* So it is the least upper bound, whatever the baseline noise is: no smaller number is a bound. *)
(* proves: beyond:exact-renyi-upper, beyond:exact-renyi-attained *)
Theorem curve_is_least d eta Rel gamma sigma2 alpha :
  (0 < d)%nat -> 0 < eta -> 0 < gamma -> 0 < sigma2 -> 1 < alpha -> 0 < rho eta alpha ->
  baseline eta Rel gamma sigma2 alpha ->
  is_lub (fun D => exists x y : vec d, close eta Rel x y /\ renyi alpha (rgm gamma sigma2 x) (rgm gamma sigma2 y) D)
    (curve eta gamma d alpha).
Proof.
  intros Pos E G S A Rho B. split.
  - intros D [x [y [C H]]].
    destruct (curve_bounds d x y eta Rel gamma sigma2 alpha E G S A Rho B C) as [D' [H' L]].
    rewrite (renyi_unique _ _ _ _ _ H H'). exact L.
  - intros b Upper. destruct d as [|n]; [lia|].
    destruct (Rle_lt_dec (curve eta gamma (Datatypes.S n) alpha) b) as [Y|N]; [exact Y|exfalso].
    pose proof (at_noise_continuous eta gamma alpha E G A Rho (Datatypes.S n)) as C.
    rewrite <- (at_noise_0 eta gamma alpha E G A Rho) in N.
    assert (P : 0 < at_noise eta gamma alpha (Datatypes.S n) 0 - b) by lra.
    destruct (proj1 (filterlim_locally _ _) C (mkposreal _ P)) as [w W].
    set (t := sqrt (2 * sigma2 / w)). pose proof (cond_pos w) as Wp.
    assert (Q : 0 < 2 * sigma2 / w) by (apply Rdiv_lt_0_compat; lra).
    assert (T : 0 < t) by (apply sqrt_lt_R0, Q). assert (TT : t * t = 2 * sigma2 / w) by (apply sqrt_sqrt; lra).
    destruct (worst_pair eta Rel gamma sigma2 alpha E G S A Rho B n t ltac:(lra)) as [Cl D].
    pose proof (renyi_finite eta Rel gamma sigma2 alpha E G S A Rho B _ _ Cl) as H. rewrite D in H.
    assert (K : at_noise eta gamma alpha (Datatypes.S n) (sigma2 / (t * t)) <= b) by (apply Upper; eauto).
    assert (Z : sigma2 / (t * t) = w / 2) by (rewrite TT; field; lra).
    rewrite Z in K. specialize (W (w / 2)).
    unfold ball in W; simpl in W; unfold AbsRing_ball, abs, minus, plus, opp in W; simpl in W.
    assert (X : Rabs (w / 2 + - 0) < w) by (rewrite Rabs_right; lra).
    specialize (W X). apply Rabs_def2 in W. lra.
Qed.
