(* Lemma 2 of the paper: the Rényi divergence of two normal laws, as an integral, in every dimension. *)
From RgmByHand Require Export Normal.

(* The right side of Lemma 2, for two means at a squared distance and two variances. *)
Definition divergence (d : nat) (alpha gap2 v1 v2 : R) : R :=
  alpha * gap2 / (2 * (alpha * v2 + (1 - alpha) * v1)) +
  INR d / (alpha - 1) *
    ln (Rpower (sqrt v1) (1 - alpha) * Rpower (sqrt v2) alpha / sqrt (alpha * v2 + (1 - alpha) * v1)).

Definition line (m v x : R) : R := / sqrt (2 * PI * v) * exp (- ((x + -1 * m) * (x + -1 * m)) / (2 * v)).

Lemma two_pi : 0 < 2 * PI.
Proof. pose proof PI_RGT_0. lra. Qed.

Lemma sqrt_exp x : 0 < x -> sqrt x = exp (ln x / 2).
Proof.
  intros H. apply Rsqr_inj; [apply sqrt_pos | apply Rlt_le, exp_pos |]. rewrite Rsqr_sqrt by lra.
  unfold Rsqr. rewrite <- exp_plus. replace (ln x / 2 + ln x / 2) with (ln x) by field. symmetry. apply exp_ln, H.
Qed.

Lemma line_exp m v x : 0 < v ->
  line m v x = exp (- (ln (2 * PI) + ln v) / 2 - (x - m) * (x - m) / (2 * v)).
Proof.
  intros V. pose proof two_pi. unfold line. rewrite sqrt_exp, ln_mult by nra. rewrite <- exp_Ropp, <- exp_plus.
  f_equal. field. lra.
Qed.

Lemma line_pos m v x : 0 < v -> 0 < line m v x.
Proof. intros V. rewrite line_exp by exact V. apply exp_pos. Qed.

Lemma line_total m v : 0 < v -> over_line (line m v) 1.
Proof.
  intros V. pose proof two_pi as T. assert (S : 0 < sqrt v) by (apply sqrt_lt_R0, V).
  pose proof (over_line_comp bell (/ sqrt v) (- m / sqrt v) _ (Rinv_0_lt_compat _ S) bell_total) as H.
  apply (over_line_scal _ (/ sqrt (2 * PI))) in H. assert (P : 0 < sqrt (2 * PI)) by (apply sqrt_lt_R0, T).
  rewrite Rinv_l in H by lra. revert H. apply over_line_ext. intros x. unfold line, bell.
  rewrite (sqrt_mult (2 * PI) v) by lra. assert (Q : sqrt v * sqrt v = v) by (apply sqrt_sqrt; lra).
  replace (2 * v) with (2 * (sqrt v * sqrt v)) by (rewrite Q; ring).
  replace (- ((x + -1 * m) * (x + -1 * m)) / (2 * (sqrt v * sqrt v))) with
    (- ((/ sqrt v * x + - m / sqrt v) * (/ sqrt v * x + - m / sqrt v)) / 2) by (field; lra).
  field. lra.
Qed.

Lemma normal_step {n} (m : vec (S n)) v (u : vec (S n)) : 0 < v ->
  normal m v u = line (fst m) v (fst u) * normal (snd m) v (snd u).
Proof.
  intros V. assert (0 < sqrt (2 * PI * v)) by (apply sqrt_lt_R0; pose proof two_pi; nra).
  unfold normal, line.
  replace (dist2 u m) with ((fst u + -1 * fst m) * (fst u + -1 * fst m) + dist2 (snd u) (snd m)) by reflexivity.
  replace (- ((fst u + -1 * fst m) * (fst u + -1 * fst m) + dist2 (snd u) (snd m)) / (2 * v)) with
    (- ((fst u + -1 * fst m) * (fst u + -1 * fst m)) / (2 * v) + - dist2 (snd u) (snd m) / (2 * v)) by (field; lra).
  rewrite exp_plus. simpl pow. field. split; [apply pow_nonzero|]; lra.
Qed.

Lemma normal_0 (m : vec 0) v u : normal m v u = 1.
Proof.
  unfold normal, dist2, norm2. simpl. replace (- 0 / (2 * v)) with 0 by (unfold Rdiv; ring). rewrite exp_0. field.
Qed.

Lemma normal_pos {d} (m : vec d) v u : 0 < v -> 0 < normal m v u.
Proof.
  intros V. induction d as [|n IH]; [rewrite normal_0; lra|]. rewrite normal_step by exact V.
  apply Rmult_lt_0_compat; [apply line_pos, V | apply IH].
Qed.

Lemma integral_product {n} (f : R -> R) (g : vec n -> R) l m :
  over_line f l -> integral g m -> integral (d := S n) (fun u => f (fst u) * g (snd u)) (l * m).
Proof.
  intros F G. exists (fun x => f x * m). split.
  - intros x. simpl. apply integral_scal, G.
  - apply (over_line_ext (fun x => m * f x)); [intros; ring|]. rewrite Rmult_comm. apply over_line_scal, F.
Qed.

(* The density is one: its integral is 1. *)
Lemma normal_total d (m : vec d) v : 0 < v -> integral (normal m v) 1.
Proof.
  intros V. induction d as [|n IH]; [apply normal_0|].
  apply (integral_ext (d := S n) (fun u => line (fst m) v (fst u) * normal (snd m) v (snd u))).
  - intros u. symmetry. apply normal_step, V.
  - rewrite <- (Rmult_1_l 1). apply (integral_product (line (fst m) v)); [apply line_total, V | apply IH].
Qed.

(* ---------------------------------------------------------------- the integral of Lemma 2 *)

Section Two_laws.
Variables (alpha v1 v2 : R).
Hypotheses (V1 : 0 < v1) (V2 : 0 < v2).
Let S := alpha * v2 + (1 - alpha) * v1.
(* The logarithm of the integral. *)
Definition logarithm (d : nat) (gap2 : R) : R :=
  INR d * (((1 - alpha) * ln v1 + alpha * ln v2 - ln S) / 2) - alpha * (1 - alpha) * gap2 / (2 * S).

Definition powers (a b x : R) : R := Rpower (line a v1 x) alpha * Rpower (line b v2 x) (1 - alpha).

Lemma powers_exp a b x : powers a b x = exp (alpha * (- (ln (2 * PI) + ln v1) / 2 - (x - a) * (x - a) / (2 * v1)) +
  (1 - alpha) * (- (ln (2 * PI) + ln v2) / 2 - (x - b) * (x - b) / (2 * v2))).
Proof. unfold powers, Rpower. rewrite !line_exp, !ln_exp, <- exp_plus by assumption. reflexivity. Qed.

Lemma powers_total a b : 0 < S -> over_line (powers a b) (exp (logarithm 1 ((a - b) * (a - b)))).
Proof.
  intros P. pose proof two_pi as T. set (u := exp ((ln S - ln v1 - ln v2) / 2)).
  set (m := (alpha * a * v2 + (1 - alpha) * b * v1) / S).
  assert (UU : u * u = S / (v1 * v2)).
  { unfold u. rewrite <- exp_plus.
    replace ((ln S - ln v1 - ln v2) / 2 + (ln S - ln v1 - ln v2) / 2) with (ln S + (- ln v1 + - ln v2)) by field.
    rewrite !exp_plus, !exp_Ropp, !exp_ln by assumption. field. lra. }
  pose proof (over_line_comp bell u (- (u * m)) _ (exp_pos _) bell_total) as H.
  set (L := logarithm 1 ((a - b) * (a - b))).
  apply (over_line_scal _ (exp (L - ln (2 * PI) / 2))) in H. rewrite sqrt_exp, <- exp_plus in H by exact T.
  replace (L - ln (2 * PI) / 2 + ln (2 * PI) / 2) with L in H by ring.
  revert H. apply over_line_ext. intros x. rewrite powers_exp. unfold bell, u at 1.
  replace ((u * x + - (u * m)) * (u * x + - (u * m))) with (u * u * ((x - m) * (x - m))) by ring.
  rewrite UU, <- !exp_plus. f_equal. unfold L, logarithm, m. simpl INR. unfold S in *. field. lra.
Qed.

Lemma Two_laws_total {d} (a b : vec d) : 0 < S ->
  integral (fun u => Rpower (normal a v1 u) alpha * Rpower (normal b v2 u) (1 - alpha))
    (exp (logarithm d (dist2 a b))).
Proof.
  intros P. induction d as [|n IH].
  - simpl. rewrite !normal_0. unfold Rpower, logarithm, dist2, norm2. simpl. rewrite ln_1, !Rmult_0_r, exp_0.
    replace (0 * _ - 0 / _) with 0 by (unfold Rdiv; ring). rewrite exp_0. ring.
  - apply (integral_ext (d := Datatypes.S n) (fun u => powers (fst a) (fst b) (fst u) *
      (Rpower (normal (snd a) v1 (snd u)) alpha * Rpower (normal (snd b) v2 (snd u)) (1 - alpha)))).
    + intros u. rewrite !(normal_step _ _ u) by assumption.
      rewrite <- !Rpower_mult_distr by (apply line_pos || apply normal_pos; assumption). unfold powers. ring.
    + replace (exp (logarithm (Datatypes.S n) (dist2 a b))) with
        (exp (logarithm 1 ((fst a - fst b) * (fst a - fst b))) * exp (logarithm n (dist2 (snd a) (snd b)))).
      * exact (integral_product (powers (fst a) (fst b)) _ _ _ (powers_total _ _ P) (IH (snd a) (snd b))).
      * rewrite <- exp_plus. f_equal. unfold logarithm. rewrite (S_INR n).
        replace (dist2 a b) with ((fst a + -1 * fst b) * (fst a + -1 * fst b) + dist2 (snd a) (snd b)) by reflexivity.
        change (INR 1) with 1. field. lra.
Qed.

Lemma divergence_logarithm d gap2 : 0 < S -> alpha <> 1 ->
  divergence d alpha gap2 v1 v2 = / (alpha - 1) * logarithm d gap2.
Proof.
  intros P A. unfold divergence, logarithm. fold S. rewrite !sqrt_exp by assumption. unfold Rpower.
  rewrite !ln_exp. unfold Rdiv at 3. rewrite <- exp_Ropp, <- !exp_plus, ln_exp. field. split; lra.
Qed.
End Two_laws.

(* Lemma 2, with the variances. *)
Lemma lemma_2_variances d (a b : vec d) alpha v1 v2 :
  1 < alpha -> 0 < v1 -> 0 < v2 -> 0 < alpha * v2 + (1 - alpha) * v1 ->
  renyi alpha (normal a v1) (normal b v2) (divergence d alpha (dist2 a b) v1 v2).
Proof.
  intros A V1 V2 P. exists (exp (logarithm alpha v1 v2 d (dist2 a b))). split; [apply Two_laws_total; assumption|].
  split; [apply exp_pos|]. rewrite ln_exp. apply divergence_logarithm; lra.
Qed.

(* Lemma 2, as it is printed. *)
(* proves: rgm:lemma-2 *)
Theorem lemma_2 d (mu1 mu2 : vec d) alpha sigma1 sigma2 :
  1 < alpha -> 0 < sigma1 -> 0 < sigma2 -> 0 < alpha * sigma2 ^ 2 + (1 - alpha) * sigma1 ^ 2 ->
  renyi alpha (normal mu1 (sigma1 ^ 2)) (normal mu2 (sigma2 ^ 2))
    (alpha * dist2 mu1 mu2 / (2 * (alpha * sigma2 ^ 2 + (1 - alpha) * sigma1 ^ 2)) +
     INR d / (alpha - 1) *
       ln (Rpower sigma1 (1 - alpha) * Rpower sigma2 alpha / sqrt (alpha * sigma2 ^ 2 + (1 - alpha) * sigma1 ^ 2))).
Proof.
  intros A S1 S2 P.
  assert (Q : forall s, 0 < s -> sqrt (s ^ 2) = s) by (intros; apply sqrt_pow2; lra).
  pose proof (lemma_2_variances d mu1 mu2 alpha (sigma1 ^ 2) (sigma2 ^ 2) A ltac:(nra) ltac:(nra) P) as H.
  unfold divergence in H. rewrite !Q in H by assumption. exact H.
Qed.

Lemma renyi_unique {d} alpha (p q : vec d -> R) D E : renyi alpha p q D -> renyi alpha p q E -> D = E.
Proof. intros [s [H [_ ->]]] [t [K [_ ->]]]. rewrite (integral_unique _ _ _ H K). reflexivity. Qed.

Lemma powers_infinite alpha v1 v2 a b l : 0 < v1 -> 0 < v2 -> alpha * v2 + (1 - alpha) * v1 <= 0 ->
  ~ over_line (powers alpha v1 v2 a b) l.
Proof.
  intros V1 V2 P.
  set (k := - (alpha / (2 * v1) + (1 - alpha) / (2 * v2))). set (c := alpha * a / v1 + (1 - alpha) * b / v2).
  set (e := alpha * (- (ln (2 * PI) + ln v1) / 2 - a * a / (2 * v1)) +
            (1 - alpha) * (- (ln (2 * PI) + ln v2) / 2 - b * b / (2 * v2))).
  assert (K : 0 <= k).
  { unfold k. replace (- (alpha / (2 * v1) + (1 - alpha) / (2 * v2))) with
      (- (alpha * v2 + (1 - alpha) * v1) / (2 * (v1 * v2))) by (field; lra).
    apply Rdiv_le_0_compat; [lra|]. assert (0 < v1 * v2) by (apply Rmult_lt_0_compat; assumption). lra. }
  assert (E : forall x, powers alpha v1 v2 a b x = exp (k * (x * x) + c * x + e)).
  { intros x. rewrite powers_exp by assumption. f_equal. unfold k, c, e. field. lra. }
  apply (over_line_infinite _ (exp e)); [apply exp_pos | intros x; rewrite E; apply Rlt_le, exp_pos | |].
  - intros x. apply (continuous_ext (fun x => exp (k * (x * x) + c * x + e))); [intros y; symmetry; apply E|].
    apply (ex_derive_continuous (fun x => exp (k * (x * x) + c * x + e))). auto_derive. exact I.
  - assert (M : forall x, 0 <= c * x -> exp e <= powers alpha v1 v2 a b x).
    { intros x C. rewrite E. assert (0 <= k * (x * x)) by (apply Rmult_le_pos; [exact K | nra]).
      destruct (Req_dec (k * (x * x) + c * x + e) e) as [-> | N]; [lra|]. apply Rlt_le, exp_increasing. lra. }
    destruct (Rle_lt_dec 0 c); [left | right]; intros x X; apply M; nra.
Qed.

(* Where the mixed variance is not positive, there is no finite divergence. *)
(* proves: beyond:lemma-2-infinite *)
Theorem lemma_2_infinite d (a b : vec (S d)) alpha v1 v2 D :
  0 < v1 -> 0 < v2 -> alpha * v2 + (1 - alpha) * v1 <= 0 -> ~ renyi alpha (normal a v1) (normal b v2) D.
Proof.
  intros V1 V2 P [total [H _]]. revert total H. induction d as [|n IH]; intros total H.
  - destruct H as [f [F L]]. apply (powers_infinite alpha v1 v2 (fst a) (fst b) total V1 V2 P).
    apply (over_line_ext f); [|exact L]. intros x. specialize (F x). simpl in F. rewrite <- F.
    rewrite (normal_step (n := 0) a v1 (x, tt) V1), (normal_step (n := 0) b v2 (x, tt) V2), !normal_0.
    unfold powers. simpl. rewrite !Rmult_1_r. reflexivity.
  - destruct H as [f [F _]]. specialize (F 0).
    set (p := Rpower (line (fst a) v1 0) alpha). set (q := Rpower (line (fst b) v2 0) (1 - alpha)).
    assert (0 < p * q) by (apply Rmult_lt_0_compat; apply exp_pos).
    apply (IH (snd a) (snd b) (/ (p * q) * f 0)).
    apply (integral_ext (d := S n) (fun w => / (p * q) *
        (Rpower (normal a v1 ((0, w) : vec (S (S n)))) alpha *
         Rpower (normal b v2 ((0, w) : vec (S (S n)))) (1 - alpha)))).
    + intros w. rewrite (normal_step (n := S n) a v1 (0, w) V1), (normal_step (n := S n) b v2 (0, w) V2).
      simpl fst. simpl snd.
      rewrite <- !Rpower_mult_distr by (apply line_pos || apply normal_pos; assumption). fold p q. field.
      split; intros Z; rewrite Z in *; lra.
    + apply integral_scal, F.
Qed.
