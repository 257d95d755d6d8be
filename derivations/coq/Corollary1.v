(* Corollary 1 as both versions of the paper print it. The baseline noise is that of Theorem 1 at the largest order that
   the proof may use, 1 + 1 / (2 eta (2 + eta)): the corollary names no order for it, and at smaller ones Theorem 1
   asks for more. For delta = 1 there is nothing to show, and for delta = 0 the conditions mean nothing. *)
From RgmByHand Require Export Theorem1.

Definition last_order (eta : R) : R := 1 + / (2 * (eta * (2 + eta))).
(* What the bounds at these orders are multiples of, in version 2 and in version 1. *)
Definition chi (d : nat) (eta gamma : R) : R :=
  eta ^ 2 / gamma + eta ^ 2 * (2 + eta) ^ 2 * (1 + eta) ^ 2 * INR d.
Definition chi_version_1 (d : nat) (eta gamma : R) : R := eta ^ 2 / gamma + / 2 * eta ^ 2 * (2 + eta) ^ 2 * INR d.

Section Orders.
Variables (eta Rel gamma sigma2 alpha : R).
Hypotheses (Eta : 0 < eta) (Gamma : 0 < gamma) (Sigma : 0 < sigma2) (Alpha : 1 < alpha <= last_order eta)
  (Baseline : baseline eta Rel gamma sigma2 (last_order eta)).
Let q := eta * (2 + eta).
Let last := last_order eta.
Local Notation variance := (variance gamma sigma2).
Local Notation close := (close eta Rel).

Lemma q_pos : 0 < q.
Proof. unfold q. nra. Qed.

Lemma last_above_1 : 1 < last.
Proof. pose proof q_pos. unfold last, last_order. fold q. pose proof (Rinv_0_lt_compat (2 * q)). lra. Qed.

Lemma rho_last : rho eta last = / 2.
Proof. pose proof q_pos as Q. unfold last, last_order, rho, q in *. field. lra. Qed.

Lemma rho_half : / 2 <= rho eta alpha.
Proof. pose proof q_pos as Q. rewrite <- rho_last. unfold rho, last, q in *. nra. Qed.

(* At these orders the mixed variance is at least half of what the distance asks for. *)
Lemma mixed_at_least {d} (x y : vec d) : close x y ->
  gamma * dist2 x y <= 2 * eta ^ 2 * (alpha * variance y + (1 - alpha) * variance x) /\
  0 < alpha * variance y + (1 - alpha) * variance x.
Proof.
  intros C. pose proof last_above_1 as L. pose proof q_pos as Q. pose proof rho_last as R.
  assert (Half : 0 < rho eta last) by lra.
  pose proof (mixed_main eta Rel gamma sigma2 last Eta Gamma L Half Baseline x y C) as M. rewrite R in M.
  pose proof (mixed_pos eta Rel gamma sigma2 last Eta Gamma Sigma L Half Baseline x y C) as P.
  pose proof (variance_pos gamma sigma2 Gamma Sigma y) as V.
  assert (Y : gamma * dist2 x y <= 2 * eta ^ 2 * variance y).
  { destruct C as [_ C]. pose proof (baseline_multiplied eta Rel gamma sigma2 last Eta Baseline) as B.
    assert (T : 3 / 4 <= 1 - eta * (last - 1)).
    { replace (eta * (last - 1)) with (/ (2 * (2 + eta))) by (unfold last, last_order; field; lra).
      assert (/ (2 * (2 + eta)) <= / 4) by (apply Rinv_le_contravar; lra). lra. }
    assert (Rel2 : 0 <= gamma * Rel ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
    assert (B' : 3 / 4 * (gamma * Rel ^ 2) <= eta ^ 2 * sigma2) by nra.
    assert (C' : gamma * dist2 x y <= gamma * (eta ^ 2 * norm2 y + Rel ^ 2)) by (apply Rmult_le_compat_l; lra).
    assert (0 <= gamma * (eta ^ 2 * norm2 y)).
    { apply Rmult_le_pos; [lra | apply Rmult_le_pos; [apply pow2_ge_0 | apply norm2_nonneg]]. }
    unfold Curve.variance. nra. }
  set (m := last * variance y + (1 - last) * variance x) in *.
  set (t := (alpha - 1) / (last - 1)).
  assert (T : 0 < t <= 1).
  { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (last - 1)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold last. lra. }
  assert (E : alpha * variance y + (1 - alpha) * variance x = (1 - t) * variance y + t * m) by
    (unfold t, m; field; lra).
  rewrite E. split; [|nra]. nra.
Qed.

Lemma up_to_last_order {d} (x y : vec d) : close x y ->
  exists D, renyi alpha (rgm gamma sigma2 x) (rgm gamma sigma2 y) D /\ D <= alpha * chi_version_1 d eta gamma.
Proof.
  intros C. destruct (mixed_at_least x y C) as [M P]. destruct Alpha as [A1 A2]. pose proof rho_half as H.
  pose proof (variance_pos gamma sigma2 Gamma Sigma x) as X. pose proof (variance_pos gamma sigma2 Gamma Sigma y) as Y.
  assert (Range : 0 < rho eta alpha) by lra. assert (Half : 0 < rho eta last) by (rewrite rho_last; lra).
  exists (divergence d alpha (dist2 x y) (variance x) (variance y)). split; [apply lemma_2_variances; assumption|].
  rewrite divergence_phi by assumption. unfold chi_version_1.
  rewrite (Rmult_plus_distr_l alpha (eta ^ 2 / gamma)). apply Rplus_le_compat.
  - set (S := alpha * variance y + (1 - alpha) * variance x) in *.
    apply (Rmult_le_reg_r (2 * S * gamma)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (alpha * dist2 x y / (2 * S) * (2 * S * gamma)) with (alpha * (gamma * dist2 x y)) by (field; lra).
    replace (alpha * (eta ^ 2 / gamma) * (2 * S * gamma)) with (alpha * (2 * eta ^ 2 * S)) by (field; lra).
    apply Rmult_le_compat_l; lra.
  - replace (alpha * (/ 2 * eta ^ 2 * (2 + eta) ^ 2 * INR d)) with (INR d * (alpha * q ^ 2 * / 2)) by (unfold q; ring).
    apply Rmult_le_compat_l; [apply pos_INR|].
    assert (K : 0 <= alpha * q ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
    apply Rle_trans with (phi alpha (/ (1 + eta) ^ 2) / (2 * (alpha - 1))).
    + unfold Rdiv at 1 3. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
      apply phi_worst; [exact A1 | nra | apply worst_defined; assumption |].
      exact (ratio_in_range eta Rel gamma sigma2 last Eta Gamma Sigma Half Baseline x y C).
    + rewrite (worst_log eta alpha Eta A1 Range). eapply Rle_trans; [apply (closed_term eta alpha Eta A1 Range)|].
      fold q. unfold Rdiv. apply Rmult_le_compat_l; [exact K|]. apply Rinv_le_contravar; nra.
Qed.
End Orders.

(* Where the bound at each order is a multiple of c, and the best order is one of them. *)
Lemma converted (Data : Type) (neighbours : Data -> Data -> Prop) d (query : Data -> vec d)
  eta Rel gamma sigma2 delta c :
  (forall x y, neighbours x y -> neighbours y x) ->
  relative_sensitivity neighbours query eta Rel ->
  0 < eta -> 0 < gamma -> 0 < sigma2 -> 0 < delta < 1 ->
  baseline eta Rel gamma sigma2 (last_order eta) ->
  chi_version_1 d eta gamma <= c -> 4 * (eta * (2 + eta)) ^ 2 * ln (/ delta) <= c ->
  private neighbours (fun x => rgm gamma sigma2 (query x)) (c + 2 * sqrt (c * ln (/ delta))) delta.
Proof.
  intros Sym Sens E G S [D0 D1] B Chi C4. set (L := ln (/ delta)) in *.
  assert (LP : 0 < L).
  { unfold L. rewrite ln_Rinv by exact D0. pose proof (ln_increasing delta 1 D0 D1). rewrite ln_1 in *. lra. }
  assert (Q : 0 < eta * (2 + eta)) by nra.
  assert (CP : 0 < c).
  { assert (0 < 4 * (eta * (2 + eta)) ^ 2 * L); [|lra]. repeat apply Rmult_lt_0_compat; try lra; nra. }
  set (b := sqrt (L / c)). assert (BP : 0 < b) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; assumption).
  assert (BB : b * b = L / c) by (apply sqrt_sqrt, Rlt_le, Rdiv_lt_0_compat; assumption).
  assert (LB : L = c * (b * b)) by (rewrite BB; field; lra).
  assert (Range : 1 < 1 + b <= last_order eta).
  { split; [lra|]. unfold last_order. apply Rplus_le_compat_l.
    apply (Rmult_le_reg_l (2 * (eta * (2 + eta)))); [lra|]. rewrite Rinv_r by lra.
    assert (4 * (eta * (2 + eta)) ^ 2 * (b * b) <= 1).
    { apply (Rmult_le_reg_l c); [exact CP|]. rewrite LB in C4. lra. }
    apply Rsqr_incr_0_var; [unfold Rsqr; lra | lra]. }
  assert (Root : sqrt (c * L) = c * b).
  { rewrite LB. replace (c * (c * (b * b))) with (c * b * (c * b)) by ring. apply sqrt_square.
    apply Rmult_le_pos; lra. }
  rewrite Root.
  replace (c + 2 * (c * b)) with ((1 + b) * c + ln (/ delta) / (1 + b - 1)).
  - apply conversion; [lra | exact D0 | |].
    + intros x u. apply normal_pos, variance_pos; assumption.
    + intros x y N. destruct (up_to_last_order eta Rel gamma sigma2 (1 + b) E G S Range B _ _
        (both_ways _ _ _ _ Sym Sens x y N)) as [D [H U]].
      exists D. split; [exact H|]. eapply Rle_trans; [exact U | apply Rmult_le_compat_l; lra].
  - fold L. rewrite LB. field. lra.
Qed.

(* Either condition, with the dimension's part of chi over eta^2 (2 + eta)^2, puts the best order into the range. *)
Lemma either_condition eta gamma delta part : 0 < gamma -> 0 <= part ->
  / gamma >= 4 * (2 + eta) ^ 2 * ln (/ delta) \/ part >= 4 * ln (/ delta) ->
  4 * (eta * (2 + eta)) ^ 2 * ln (/ delta) <= eta ^ 2 / gamma + eta ^ 2 * (2 + eta) ^ 2 * part.
Proof.
  intros G P Cond. assert (0 < / gamma) by (apply Rinv_0_lt_compat, G). pose proof (pow2_ge_0 eta) as E2.
  assert (Q2 : 0 <= eta ^ 2 * (2 + eta) ^ 2) by (apply Rmult_le_pos; [exact E2 | apply pow2_ge_0]).
  unfold Rdiv. destruct Cond as [K|K]; apply Rge_le in K.
  - apply (Rmult_le_compat_l (eta ^ 2)) in K; [|exact E2].
    assert (0 <= eta ^ 2 * (2 + eta) ^ 2 * part) by (apply Rmult_le_pos; assumption). lra.
  - apply (Rmult_le_compat_l (eta ^ 2 * (2 + eta) ^ 2)) in K; [|exact Q2].
    assert (0 <= eta ^ 2 * / gamma) by (apply Rmult_le_pos; lra). lra.
Qed.

(* proves: rgm-v2:corollary-1 *)
Theorem corollary_1_version_2 (Data : Type) (neighbours : Data -> Data -> Prop) d (query : Data -> vec d)
  eta Rel gamma sigma2 delta :
  (forall x y, neighbours x y -> neighbours y x) ->
  relative_sensitivity neighbours query eta Rel ->
  0 < eta -> 0 <= Rel -> 0 < gamma -> 0 < sigma2 -> 0 < delta < 1 ->
  baseline eta Rel gamma sigma2 (last_order eta) ->
  / gamma >= 4 * (2 + eta) ^ 2 * ln (/ delta) \/ INR d >= 4 * ln (/ delta) / (1 + eta) ^ 2 ->
  private neighbours (fun x => rgm gamma sigma2 (query x))
    (chi d eta gamma + 2 * sqrt (chi d eta gamma * ln (/ delta))) delta.
Proof.
  intros Sym Sens E _ G S D B Cond. pose proof (pos_INR d) as Dn. assert (V : 1 < (1 + eta) ^ 2) by nra.
  apply (converted _ neighbours d query eta Rel gamma sigma2 delta (chi d eta gamma)); try assumption.
  - unfold chi, chi_version_1. apply Rplus_le_compat_l.
    assert (0 <= eta ^ 2 * (2 + eta) ^ 2 * INR d) by (repeat apply Rmult_le_pos; try apply pow2_ge_0; lra). nra.
  - unfold chi. replace (eta ^ 2 * (2 + eta) ^ 2 * (1 + eta) ^ 2 * INR d) with
      (eta ^ 2 * (2 + eta) ^ 2 * ((1 + eta) ^ 2 * INR d)) by ring.
    apply either_condition; [exact G | apply Rmult_le_pos; lra |]. destruct Cond as [K|K]; [left; exact K | right].
    apply Rge_le in K. apply (Rmult_le_compat_l ((1 + eta) ^ 2)) in K; [|lra].
    replace ((1 + eta) ^ 2 * (4 * ln (/ delta) / (1 + eta) ^ 2)) with (4 * ln (/ delta)) in K by (field; lra). lra.
Qed.

(* proves: rgm-v1:corollary-1 *)
Theorem corollary_1_version_1 (Data : Type) (neighbours : Data -> Data -> Prop) d (query : Data -> vec d)
  eta Rel gamma sigma2 delta :
  (forall x y, neighbours x y -> neighbours y x) ->
  relative_sensitivity neighbours query eta Rel ->
  0 < eta <= 1 -> 0 <= Rel -> 0 < gamma -> 0 < sigma2 -> 0 < delta < 1 ->
  baseline eta Rel gamma sigma2 (last_order eta) ->
  / gamma >= 4 * (2 + eta) ^ 2 * ln (/ delta) \/ INR d >= 8 * ln (/ delta) ->
  private neighbours (fun x => rgm gamma sigma2 (query x))
    (chi_version_1 d eta gamma + 2 * sqrt (chi_version_1 d eta gamma * ln (/ delta))) delta.
Proof.
  intros Sym Sens [E _] _ G S D B Cond. pose proof (pos_INR d) as Dn.
  apply (converted _ neighbours d query eta Rel gamma sigma2 delta (chi_version_1 d eta gamma)); try assumption.
  - lra.
  - unfold chi_version_1. replace (/ 2 * eta ^ 2 * (2 + eta) ^ 2 * INR d) with
      (eta ^ 2 * (2 + eta) ^ 2 * (/ 2 * INR d)) by ring.
    apply either_condition; [exact G | lra |]. destruct Cond as [K|K]; [left; exact K | right; lra].
Qed.