(* Gaussian noise whose variance depends on the data in any way, against noise whose sensitivity is taken at a public
   point. For outputs x, y, z in R^d, d > 0, and variances of any size. *)
From RgmByHand Require Export Curve.

(* Both orders of a pair of releases are at most at a level: their divergences are finite and at most epsilon. *)
Definition at_level {d} (alpha epsilon : R) (x : vec d) (v : R) (y : vec d) (w : R) : Prop :=
  (exists D, renyi alpha (normal x v) (normal y w) D /\ D <= epsilon) /\
  (exists D, renyi alpha (normal y w) (normal x v) D /\ D <= epsilon).

(* The variance of the Gaussian mechanism at a squared sensitivity. *)
Definition absolute (alpha epsilon gap2 : R) : R := alpha * gap2 / (2 * epsilon).

(* The logarithmic term of Lemma 2 is not negative. *)
(* proves: beyond:logarithm-of-two-variances *)
Theorem phi_nonneg alpha r : 1 < alpha -> 0 < r -> 0 < 1 + alpha * (r - 1) -> 0 <= phi alpha r.
Proof.
  intros A P Q. assert (Z : phi alpha 1 = 0) by (unfold phi; rewrite Rminus_eq_0, Rmult_0_r, Rplus_0_r, ln_1; ring).
  rewrite <- Z. destruct (Rle_lt_dec r 1) as [L|G]; [apply phi_falls; lra|].
  apply (rises (phi alpha) (fun x => alpha * (alpha - 1) * (x - 1) / (x * (1 + alpha * (x - 1))))); [lra | |].
  - intros x X. assert (0 <= alpha * (x - 1)) by (apply Rmult_le_pos; lra). apply phi_derive; lra.
  - intros x X. assert (0 <= alpha * (x - 1)) by (apply Rmult_le_pos; lra).
    apply Rdiv_le_0_compat; [repeat apply Rmult_le_pos | apply Rmult_lt_0_compat]; lra.
Qed.

(* One order bounds the mixed variance. *)
Lemma mixed_variance n (x y : vec (S n)) alpha epsilon v w D :
  1 < alpha -> 0 < epsilon -> 0 < v -> 0 < w -> renyi alpha (normal x v) (normal y w) D -> D <= epsilon ->
  absolute alpha epsilon (dist2 x y) <= alpha * w + (1 - alpha) * v.
Proof.
  intros A E V W H L. set (S := alpha * w + (1 - alpha) * v).
  destruct (Rle_lt_dec S 0) as [N|P]; [exfalso; exact (lemma_2_infinite n x y alpha v w D V W N H)|].
  rewrite (renyi_unique _ _ _ _ _ H (lemma_2_variances _ x y alpha v w A V W P)) in L.
  rewrite divergence_phi in L by assumption. fold S in L.
  assert (0 <= INR (Datatypes.S n) * (phi alpha (w / v) / (2 * (alpha - 1)))).
  { apply Rmult_le_pos; [apply pos_INR|]. apply Rdiv_le_0_compat; [|lra].
    apply phi_nonneg; [exact A | apply Rdiv_lt_0_compat; assumption |].
    replace (1 + alpha * (w / v - 1)) with (S / v) by (unfold S; field; lra). apply Rdiv_lt_0_compat; assumption. }
  assert (M : alpha * dist2 x y / (2 * S) <= epsilon) by lra. unfold absolute.
  apply (Rmult_le_reg_r (2 * epsilon)); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply (Rmult_le_compat_r (2 * S)) in M; [|lra]. unfold Rdiv in M. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in M by lra.
  lra.
Qed.

(* Both variances are at least that of the Gaussian mechanism at the distance of the outputs. *)
(* proves: beyond:least-variance-of-gaussian-noise *)
Theorem least_variance n (x y : vec (S n)) alpha epsilon v w :
  1 < alpha -> 0 < epsilon -> 0 < v -> 0 < w -> at_level alpha epsilon x v y w ->
  absolute alpha epsilon (dist2 x y) <= v /\ absolute alpha epsilon (dist2 x y) <= w.
Proof.
  intros A E V W [[D [H L]] [D' [H' L']]].
  pose proof (mixed_variance n x y alpha epsilon v w D A E V W H L) as M.
  pose proof (mixed_variance n y x alpha epsilon w v D' A E W V H' L') as M'. rewrite dist2_sym in M'.
  set (a := absolute alpha epsilon (dist2 x y)) in *.
  (* Each variance is a mean of the two mixed ones. *)
  split; apply (Rmult_le_reg_l (2 * alpha - 1)); nra.
Qed.

(* Of two points the farther one is at least half of their distance away. *)
Lemma farther {d} (x y z : vec d) : dist2 y z <= 2 * dist2 x y + 2 * dist2 x z.
Proof.
  pose proof (norm2_nonneg (add (add y (-2) x) 1 z)) as H.
  rewrite !norm2_add, !dot_add in H. rewrite !dist2_expand. rewrite (dot_sym y x) in H. nra.
Qed.

Lemma absolute_le alpha epsilon s t : 0 < alpha -> 0 < epsilon -> s <= t ->
  absolute alpha epsilon s <= absolute alpha epsilon t.
Proof.
  intros A E H. unfold absolute, Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
  apply Rmult_le_compat_l; lra.
Qed.

(* Neighbours y and z of the data with the output x, at the distance S from each other: noise at the public point has
   at most four times the variance v at x, where both pairs with x are at the level. *)
(* proves: beyond:noise-at-the-iterate-factor-four *)
Theorem factor_four n (x y z : vec (S n)) alpha epsilon v vy vz :
  1 < alpha -> 0 < epsilon -> 0 < v -> 0 < vy -> 0 < vz ->
  at_level alpha epsilon x v y vy -> at_level alpha epsilon x v z vz ->
  absolute alpha epsilon (dist2 y z) <= 4 * v.
Proof.
  intros A E V Vy Vz Y Z. destruct (least_variance n x y alpha epsilon v vy A E V Vy Y) as [LY _].
  destruct (least_variance n x z alpha epsilon v vz A E V Vz Z) as [LZ _].
  pose proof (absolute_le alpha epsilon _ _ ltac:(lra) E (farther x y z)) as F.
  replace (absolute alpha epsilon (2 * dist2 x y + 2 * dist2 x z)) with
    (2 * absolute alpha epsilon (dist2 x y) + 2 * absolute alpha epsilon (dist2 x z)) in F
    by (unfold absolute; field; lra). lra.
Qed.

(* Where y and z are at the level as well, at most 4 alpha / (4 alpha - 3) times. *)
(* proves: beyond:noise-at-the-iterate-factor *)
Theorem factor n (x y z : vec (S n)) alpha epsilon v vy vz :
  1 < alpha -> 0 < epsilon -> 0 < v -> 0 < vy -> 0 < vz ->
  at_level alpha epsilon x v y vy -> at_level alpha epsilon x v z vz -> at_level alpha epsilon y vy z vz ->
  absolute alpha epsilon (dist2 y z) <= 4 * alpha / (4 * alpha - 3) * v.
Proof.
  intros A E V Vy Vz [_ [D [Y LY]]] [_ [D' [Z LZ]]] YZ.
  destruct (least_variance n y z alpha epsilon vy vz A E Vy Vz YZ) as [Ny Nz].
  pose proof (mixed_variance n y x alpha epsilon vy v D A E Vy V Y LY) as My.
  pose proof (mixed_variance n z x alpha epsilon vz v D' A E Vz V Z LZ) as Mz.
  rewrite dist2_sym in My. rewrite dist2_sym in Mz.
  pose proof (absolute_le alpha epsilon _ _ ltac:(lra) E (farther x y z)) as F.
  replace (absolute alpha epsilon (2 * dist2 x y + 2 * dist2 x z)) with
    (2 * absolute alpha epsilon (dist2 x y) + 2 * absolute alpha epsilon (dist2 x z)) in F
    by (unfold absolute; field; lra).
  set (a := absolute alpha epsilon (dist2 y z)) in *.
  apply (Rmult_le_reg_l (4 * alpha - 3)); [lra|].
  replace ((4 * alpha - 3) * (4 * alpha / (4 * alpha - 3) * v)) with (4 * alpha * v) by (field; lra).
  assert ((alpha - 1) * a <= (alpha - 1) * vy) by (apply Rmult_le_compat_l; lra).
  assert ((alpha - 1) * a <= (alpha - 1) * vz) by (apply Rmult_le_compat_l; lra). lra.
Qed.
