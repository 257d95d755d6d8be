(* Theorem 1 as version 2 of the paper prints it, for queries with values in R^d. *)
From RgmByHand Require Export Privacy.

Lemma phi_bound alpha r : 1 < alpha -> 0 < r -> 0 < 1 + alpha * (r - 1) ->
  phi alpha r <= alpha * (alpha - 1) * (r - 1) ^ 2 / (1 + alpha * (r - 1)).
Proof.
  intros A P Q. unfold phi. pose proof (log_below r P) as L. set (m := 1 + alpha * (r - 1)) in *.
  pose proof (log_below (r / m) ltac:(apply Rdiv_lt_0_compat; assumption)) as M. rewrite ln_div in M by assumption.
  replace (alpha * (alpha - 1) * (r - 1) ^ 2 / m) with ((alpha - 1) * (r - 1) + (r / m - 1))
    by (unfold m in *; field; lra). nra.
Qed.

Section Curve.
Variables (eta alpha : R).
Hypotheses (Eta : 0 < eta) (Alpha : 1 < alpha) (Range : 0 < rho eta alpha).
Let q := eta * (2 + eta).

(* The logarithmic term of the worst pair. *)
Lemma worst_bound : phi alpha (/ (1 + eta) ^ 2) / (2 * (alpha - 1)) <=
  alpha * q ^ 2 / (2 * (1 + eta) ^ 2 * rho eta alpha).
Proof.
  pose proof (worst_defined eta alpha Eta Range) as W. assert (V : 0 < (1 + eta) ^ 2) by nra.
  pose proof (phi_bound alpha (/ (1 + eta) ^ 2) Alpha (Rinv_0_lt_compat _ V) W) as B.
  apply (Rmult_le_reg_r (2 * (alpha - 1))); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
  rewrite Rmult_1_r. eapply Rle_trans; [exact B|]. apply Req_le.
  assert (E : 1 + alpha * (/ (1 + eta) ^ 2 - 1) = rho eta alpha / (1 + eta) ^ 2) by (unfold rho; field; lra).
  rewrite E. unfold q. field. lra.
Qed.

Lemma widened x : 0 <= x -> x / (1 + eta) ^ 2 <= x * (1 + eta) ^ 2.
Proof.
  intros X. assert (V : 1 <= (1 + eta) ^ 2) by nra. unfold Rdiv. apply Rmult_le_compat_l; [exact X|].
  apply Rle_trans with 1; [|exact V]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Lemma curve_at_most gamma d : 0 < gamma ->
  curve eta gamma d alpha <=
  alpha * eta ^ 2 / (2 * gamma) * ((1 + gamma * INR d * (2 + eta) ^ 2 * (1 + eta) ^ 2) / rho eta alpha).
Proof.
  intros G. unfold curve. rewrite <- (worst_log eta alpha Eta Alpha Range). pose proof worst_bound as B.
  assert (X : 0 <= alpha * q ^ 2 / (2 * rho eta alpha)) by
    (apply Rdiv_le_0_compat; [apply Rmult_le_pos; [lra | apply pow2_ge_0] | lra]).
  pose proof (widened _ X) as W.
  replace (alpha * q ^ 2 / (2 * (1 + eta) ^ 2 * rho eta alpha)) with
    (alpha * q ^ 2 / (2 * rho eta alpha) / (1 + eta) ^ 2) in B by (field; lra).
  replace (alpha * eta ^ 2 / (2 * gamma) * ((1 + gamma * INR d * (2 + eta) ^ 2 * (1 + eta) ^ 2) / rho eta alpha)) with
    (alpha * eta ^ 2 / (2 * gamma * rho eta alpha) +
     INR d * (alpha * q ^ 2 / (2 * rho eta alpha) * (1 + eta) ^ 2)) by (unfold q; field; lra).
  apply Rplus_le_compat_l, Rmult_le_compat_l; [apply pos_INR | lra].
Qed.
End Curve.

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
  exists D. split; [exact H|]. eapply Rle_trans; [exact L | apply (curve_at_most eta alpha E A1 Rho gamma d G)].
Qed.
