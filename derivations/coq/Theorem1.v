(* Theorem 1 as version 2 of the paper prints it, for queries with values in R^d, and the closed bound that is right in
   place of version 1's: its second term divided by rho as well, and smaller than in version 2. *)
From RgmByHand Require Export Privacy.

(* With s = 1 + eta: log(1 + q) >= q - q^2 / (2 s), where q = s^2 - 1. *)
Lemma log_lower s : 1 <= s -> s ^ 2 - 1 - (s ^ 2 - 1) ^ 2 / (2 * s) <= 2 * ln s.
Proof.
  intros H. set (g := fun x => 2 * ln x - (x ^ 2 - 1) + (x ^ 2 - 1) ^ 2 / (2 * x)).
  assert (G : g 1 <= g s).
  { apply (rises g (fun x => (x ^ 2 - 1) * (3 * x - 1) * (x - 1) / (2 * x ^ 2))); [exact H | |].
    - intros x X. unfold g. auto_derive; [lra|]. field. lra.
    - intros x X. apply Rdiv_le_0_compat; [repeat apply Rmult_le_pos; nra | nra]. }
  unfold g in G. rewrite ln_1 in G. replace ((1 ^ 2 - 1) ^ 2 / (2 * 1)) with 0 in G by field. lra.
Qed.

(* The logarithmic term of the worst pair, times 2 k / q with k = (alpha - 1) q. *)
Lemma closed_log s k : 1 < s -> 0 <= k < 1 ->
  - ln (1 - k) - k / (s ^ 2 - 1) * (2 * ln s) <= (s ^ 2 - 1 + k) * k / (2 * s * (1 - k)).
Proof.
  intros S [K1 K2]. set (q := s ^ 2 - 1). assert (Q : 0 < q) by (unfold q; nra).
  pose proof (log_lower s ltac:(lra)) as L. fold q in L. set (l := 2 * ln s) in *.
  set (f := fun x => (q + x) * x / (2 * s * (1 - x)) + ln (1 - x) + x / q * l).
  assert (F : f 0 <= f k).
  { apply (rises f (fun x => (q + 2 * x - x ^ 2) / (2 * s * (1 - x) ^ 2) - / (1 - x) + l / q)); [lra | |].
    - intros x X. unfold f. auto_derive; [repeat split; nra|]. field. repeat split; lra.
    - intros x X. assert (P : 0 < (1 - x) ^ 2) by nra.
      assert (B : 1 - q / (2 * s) <= l / q).
      { apply (Rmult_le_reg_r q); [exact Q|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l by lra.
        replace ((1 - q / (2 * s)) * q) with (q - q ^ 2 / (2 * s)) by (field; lra). lra. }
      assert (0 <= (q + 2 * x - x ^ 2) / (2 * s * (1 - x) ^ 2) - / (1 - x) + (1 - q / (2 * s))); [|lra].
      replace ((q + 2 * x - x ^ 2) / (2 * s * (1 - x) ^ 2) - / (1 - x) + (1 - q / (2 * s))) with
        (x * (s * (2 - x) - 2 * (1 - x)) / (2 * (1 - x) ^ 2)) by (unfold q; field; lra).
      apply Rdiv_le_0_compat; [apply Rmult_le_pos; nra | lra]. }
  unfold f in F. rewrite Rminus_0_r, ln_1 in F.
  replace ((q + 0) * 0 / (2 * s * 1)) with 0 in F by (field; lra). lra.
Qed.

Lemma closed_term eta alpha : 0 < eta -> 1 < alpha -> 0 < rho eta alpha ->
  - ln (rho eta alpha) / (2 * (alpha - 1)) - ln (1 + eta) <=
  alpha * (eta * (2 + eta)) ^ 2 / (4 * (1 + eta) * rho eta alpha).
Proof.
  intros E A R. set (q := eta * (2 + eta)). assert (Q : 0 < q) by (unfold q; nra).
  assert (RQ : rho eta alpha = 1 - (alpha - 1) * q) by (unfold rho, q; ring).
  assert (KP : 0 < (alpha - 1) * q) by (apply Rmult_lt_0_compat; lra).
  pose proof (closed_log (1 + eta) ((alpha - 1) * q) ltac:(lra) ltac:(lra)) as C.
  replace ((1 + eta) ^ 2 - 1) with q in C by (unfold q; ring). rewrite <- RQ in C.
  replace (alpha * q ^ 2 / (4 * (1 + eta) * rho eta alpha)) with
    ((q + (alpha - 1) * q) * ((alpha - 1) * q) / (2 * (1 + eta) * rho eta alpha) / (2 * (alpha - 1))) by (field; lra).
  replace (- ln (rho eta alpha) / (2 * (alpha - 1)) - ln (1 + eta)) with
    ((- ln (rho eta alpha) - (alpha - 1) * q / q * (2 * ln (1 + eta))) / (2 * (alpha - 1))) by (field; lra).
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | exact C].
Qed.

Lemma curve_closed eta gamma d alpha : 0 < eta -> 0 < gamma -> 1 < alpha -> 0 < rho eta alpha ->
  curve eta gamma d alpha <=
  alpha * eta ^ 2 / (2 * gamma * rho eta alpha) * (1 + gamma * INR d * (2 + eta) ^ 2 / (2 * (1 + eta))).
Proof.
  intros E G A R. unfold curve.
  replace (alpha * eta ^ 2 / (2 * gamma * rho eta alpha) * (1 + gamma * INR d * (2 + eta) ^ 2 / (2 * (1 + eta)))) with
    (alpha * eta ^ 2 / (2 * gamma * rho eta alpha) +
     INR d * (alpha * (eta * (2 + eta)) ^ 2 / (4 * (1 + eta) * rho eta alpha))) by (field; lra).
  apply Rplus_le_compat_l, Rmult_le_compat_l; [apply pos_INR | apply closed_term; assumption].
Qed.

Lemma curve_at_most eta gamma d alpha : 0 < eta -> 0 < gamma -> 1 < alpha -> 0 < rho eta alpha ->
  curve eta gamma d alpha <=
  alpha * eta ^ 2 / (2 * gamma) * ((1 + gamma * INR d * (2 + eta) ^ 2 * (1 + eta) ^ 2) / rho eta alpha).
Proof.
  intros E G A R. eapply Rle_trans; [apply curve_closed; assumption|].
  replace (alpha * eta ^ 2 / (2 * gamma) * ((1 + gamma * INR d * (2 + eta) ^ 2 * (1 + eta) ^ 2) / rho eta alpha)) with
    (alpha * eta ^ 2 / (2 * gamma * rho eta alpha) * (1 + gamma * INR d * (2 + eta) ^ 2 * (1 + eta) ^ 2))
    by (field; lra).
  apply Rmult_le_compat_l.
  - apply Rdiv_le_0_compat; [apply Rmult_le_pos; nra | repeat apply Rmult_lt_0_compat; lra].
  - apply Rplus_le_compat_l. unfold Rdiv. apply Rmult_le_compat_l.
    + apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply pos_INR] | apply pow2_ge_0].
    + apply Rle_trans with 1; [|nra]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

(* proves: beyond:closed-bound *)
Theorem closed_bound (Data : Type) (neighbours : Data -> Data -> Prop) d (query : Data -> vec d)
  eta Rel gamma sigma2 alpha :
  (forall x y, neighbours x y -> neighbours y x) ->
  relative_sensitivity neighbours query eta Rel ->
  0 < eta -> 0 <= Rel -> 0 < gamma -> 0 < sigma2 ->
  1 < alpha < (1 + eta) ^ 2 / (2 * eta + eta ^ 2) ->
  sigma2 >= gamma / eta ^ 2 * (1 - eta * (alpha - 1)) * Rel ^ 2 ->
  renyi_private neighbours (fun x => rgm gamma sigma2 (query x)) alpha
    (alpha * eta ^ 2 / (2 * gamma * (1 - eta * (alpha - 1) * (2 + eta))) *
     (1 + gamma * INR d * (2 + eta) ^ 2 / (2 * (1 + eta)))).
Proof.
  intros Sym Sens E _ G S A B x y N. destruct (in_range eta alpha E A) as [A1 Rho].
  destruct (curve_bounds d _ _ eta Rel gamma sigma2 alpha E G S A1 Rho B (both_ways _ _ _ _ Sym Sens x y N))
    as [D [H L]].
  exists D. split; [exact H|]. eapply Rle_trans; [exact L | apply (curve_closed eta gamma d alpha E G A1 Rho)].
Qed.

(* proves: rgm-v2:theorem-1 *)
Theorem theorem_1_version_2 (Data : Type) (neighbours : Data -> Data -> Prop) d (query : Data -> vec d)
  eta Rel gamma sigma2 alpha :
  (forall x y, neighbours x y -> neighbours y x) ->
  relative_sensitivity neighbours query eta Rel ->
  0 < eta -> 0 <= Rel -> 0 < gamma -> 0 < sigma2 ->
  1 < alpha < (1 + eta) ^ 2 / (2 * eta + eta ^ 2) ->
  sigma2 >= gamma / eta ^ 2 * (1 - eta * (alpha - 1)) * Rel ^ 2 ->
  renyi_private neighbours (fun x => rgm gamma sigma2 (query x)) alpha
    (alpha * eta ^ 2 / (2 * gamma) *
     ((1 + gamma * INR d * (2 + eta) ^ 2 * (1 + eta) ^ 2) / (1 - eta * (alpha - 1) * (2 + eta)))).
Proof.
  intros Sym Sens E _ G S A B x y N. destruct (in_range eta alpha E A) as [A1 Rho].
  destruct (curve_bounds d _ _ eta Rel gamma sigma2 alpha E G S A1 Rho B (both_ways _ _ _ _ Sym Sens x y N))
    as [D [H L]].
  exists D. split; [exact H|]. eapply Rle_trans; [exact L | apply (curve_at_most eta gamma d alpha E G A1 Rho)].
Qed.
