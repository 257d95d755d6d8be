(* Guarantees of a release, and from Rényi privacy to (epsilon, delta). *)
From RgmByHand Require Export Curve.

Section Guarantees.
Context {Data : Type} (neighbours : Data -> Data -> Prop) {d : nat}.

(* Definition 2: relative sensitivity of a query, where neighbours are symmetric. *)
Definition relative_sensitivity (query : Data -> vec d) (eta Rel : R) : Prop :=
  forall x y, neighbours x y -> dist2 (query x) (query y) <= eta ^ 2 * norm2 (query x) + Rel ^ 2.

(* A mechanism gives the density of its output. *)
Definition renyi_private (mechanism : Data -> vec d -> R) (alpha epsilon : R) : Prop :=
  forall x y, neighbours x y -> exists D, renyi alpha (mechanism x) (mechanism y) D /\ D <= epsilon.

(* Of every test, as of the indicator of an event, whose two probabilities exist as integrals. Finite unions of boxes
   are such events, and they come near to every Borel set for both laws at once. *)
Definition private (mechanism : Data -> vec d -> R) (epsilon delta : R) : Prop :=
  forall x y, neighbours x y -> forall test : vec d -> R, (forall u, 0 <= test u <= 1) ->
  forall p q, integral (fun u => test u * mechanism x u) p -> integral (fun u => test u * mechanism y u) q ->
  p <= exp epsilon * q + delta.
End Guarantees.

Lemma both_ways {Data} (neighbours : Data -> Data -> Prop) {d} (query : Data -> vec d) eta Rel :
  (forall x y, neighbours x y -> neighbours y x) -> relative_sensitivity neighbours query eta Rel ->
  forall x y, neighbours x y -> close eta Rel (query x) (query y).
Proof. intros Sym Sens x y N. split; [apply Sens, N|]. rewrite dist2_sym. apply Sens, Sym, N. Qed.

(* The range of orders of Theorem 1. *)
Lemma in_range eta alpha : 0 < eta -> 1 < alpha < (1 + eta) ^ 2 / (2 * eta + eta ^ 2) -> 1 < alpha /\ 0 < rho eta alpha.
Proof.
  intros E [A1 A2]. split; [exact A1|]. apply (Rmult_lt_compat_r (2 * eta + eta ^ 2)) in A2; [|nra].
  unfold Rdiv in A2. rewrite Rmult_assoc, Rinv_l in A2 by nra. unfold rho. nra.
Qed.

Lemma log_below x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (exp_ineq1_le (ln x)) as E. rewrite exp_ln in E by exact H. lra. Qed.

Lemma exp_le_compat x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [apply Rlt_le, exp_increasing, H | lra]. Qed.

(* The event costs the more the larger the loss; where it is below epsilon, nothing is to be shown. *)
Lemma test_pointwise alpha epsilon p q t : 1 < alpha -> 0 < p -> 0 < q -> 0 <= t <= 1 ->
  t * p <= exp epsilon * (t * q) + exp (- (alpha - 1) * epsilon) * (Rpower p alpha * Rpower q (1 - alpha)).
Proof.
  intros A P Q T. set (w := exp (- (alpha - 1) * epsilon) * (Rpower p alpha * Rpower q (1 - alpha))).
  assert (W : 0 < w) by (repeat apply Rmult_lt_0_compat; apply exp_pos).
  destruct (Rle_lt_dec p (exp epsilon * q)) as [L|G].
  - assert (t * p <= t * (exp epsilon * q)) by (apply Rmult_le_compat_l; lra). lra.
  - assert (p <= w).
    { assert (E : epsilon < ln p - ln q).
      { apply exp_lt_inv. unfold Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by assumption.
        apply (Rmult_lt_reg_r q); [exact Q|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      rewrite <- (exp_ln p) at 1 by exact P. unfold w, Rpower. rewrite <- !exp_plus. apply exp_le_compat. nra. }
    assert (0 < exp epsilon * (q * t) \/ t = 0) as [|Z].
    { destruct (Req_dec t 0); [right | left; pose proof (exp_pos epsilon); repeat apply Rmult_lt_0_compat]; lra. }
    + nra.
    + rewrite Z. lra.
Qed.

(* Proposition 3 of Mironov: Rényi privacy of one order gives (epsilon, delta). *)
(* proves: rgm:s4-conversion *)
Theorem conversion (Data : Type) (neighbours : Data -> Data -> Prop) d (mechanism : Data -> vec d -> R)
  alpha epsilon delta :
  1 < alpha -> 0 < delta -> (forall x u, 0 < mechanism x u) ->
  renyi_private neighbours mechanism alpha epsilon ->
  private neighbours mechanism (epsilon + ln (/ delta) / (alpha - 1)) delta.
Proof.
  intros A Dl Pos H x y N test T p q Hp Hq. destruct (H x y N) as [D [[total [I [TP ->]]] L]].
  set (e := epsilon + ln (/ delta) / (alpha - 1)).
  assert (B : p <= exp e * q + exp (- (alpha - 1) * e) * total).
  { apply (integral_le (fun u => test u * mechanism x u) (fun u => exp e * (test u * mechanism y u) +
      exp (- (alpha - 1) * e) * (Rpower (mechanism x u) alpha * Rpower (mechanism y u) (1 - alpha)))).
    - intros u. apply test_pointwise; auto.
    - exact Hp.
    - apply integral_plus; apply integral_scal; assumption. }
  assert (M : exp (- (alpha - 1) * e) * total <= delta); [|lra].
  rewrite <- (exp_ln total), <- exp_plus by exact TP.
  apply Rle_trans with (exp (ln delta)); [|rewrite exp_ln; lra].
  apply exp_le_compat. unfold e. rewrite ln_Rinv by exact Dl.
  apply (Rmult_le_compat_l (alpha - 1)) in L; [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in L by lra.
  replace (- (alpha - 1) * (epsilon + - ln delta / (alpha - 1))) with (- ((alpha - 1) * epsilon) + ln delta)
    by (field; lra). lra.
Qed.
