(* Vectors of R^d, and the integral of a function over R^d.

   The integral is iterated: over the first coordinate the improper Riemann integral of Coquelicot, over both ends at
   once, of the integral over the others. Where a function is continuous and not negative, as densities and their
   products are here, Tonelli's theorem says that this is its Lebesgue integral, in any order of the coordinates. *)
From Coq Require Export Reals Lra Lia.
From Coquelicot Require Export Coquelicot.
Global Open Scope R_scope.

Fixpoint vec (d : nat) : Type := match d with O => unit | S n => (R * vec n)%type end.

Definition over_line (f : R -> R) (value : R) : Prop :=
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) value.

Fixpoint integral (d : nat) : (vec d -> R) -> R -> Prop :=
  match d with
  | O => fun f value => f tt = value
  | S n => fun f value =>
      exists inner : R -> R, (forall x, integral n (fun v => f (x, v)) (inner x)) /\ over_line inner value
  end.
Arguments integral {d}.

(* Every vector of R^d with an entry, and the scalar product. *)
Fixpoint constant {d : nat} (c : R) : vec d := match d with O => tt | S n => (c, constant c) end.
Definition axis {n : nat} (c : R) : vec (S n) := (c, constant 0).
Fixpoint dot {d : nat} : vec d -> vec d -> R :=
  match d with O => fun _ _ => 0 | S n => fun u v => fst u * fst v + dot (snd u) (snd v) end.
(* u + c v *)
Fixpoint add {d : nat} : vec d -> R -> vec d -> vec d :=
  match d with O => fun _ _ _ => tt | S n => fun u c v => (fst u + c * fst v, add (snd u) c (snd v)) end.
Definition norm2 {d : nat} (u : vec d) : R := dot u u.
Definition dist2 {d : nat} (u v : vec d) : R := norm2 (add u (-1) v).

(* ---------------------------------------------------------------- the line *)

Lemma integrable (f : R -> R) a b : (forall x, continuous f x) -> ex_RInt f a b.
Proof. intros C. apply (ex_RInt_continuous (V := R_CompleteNormedModule) f). intros. apply C. Qed.

Lemma integrates (f : R -> R) a b : (forall x, continuous f x) -> is_RInt f a b (RInt f a b).
Proof. intros C. apply (RInt_correct (V := R_CompleteNormedModule) f), integrable, C. Qed.

Lemma over_line_ext f g l : (forall x, f x = g x) -> over_line f l -> over_line g l.
Proof.
  intros H K. refine (is_RInt_gen_ext f g l _ K).
  exists (fun _ => True) (fun _ => True); [exists 0 | exists 0 |]; auto.
Qed.

Lemma over_line_unique f l m : over_line f l -> over_line f m -> l = m.
Proof.
  intros H K. rewrite <- (is_RInt_gen_unique f l H). exact (is_RInt_gen_unique f m K).
Qed.

Lemma over_line_scal f k l : over_line f l -> over_line (fun x => k * f x) (k * l).
Proof. intros H. exact (is_RInt_gen_scal f k l H). Qed.

Lemma over_line_plus f g l m : over_line f l -> over_line g m -> over_line (fun x => f x + g x) (l + m).
Proof. intros H K. exact (is_RInt_gen_plus f g l m H K). Qed.

Lemma over_line_le f g l m : (forall x, f x <= g x) -> over_line f l -> over_line g m -> l <= m.
Proof.
  intros H F G. assert (D : over_line (fun x => g x + -1 * f x) (m + -1 * l)) by
    (apply over_line_plus; [|apply over_line_scal]; assumption).
  destruct (Rle_lt_dec l m) as [Y|N]; [exact Y|exfalso].
  assert (P : 0 < (l - m) / 2) by lra.
  destruct (D (ball (m + -1 * l) (mkposreal _ P)) (locally_ball _ _)) as [Q1 Q2 [A HA] [B HB] HD].
  set (a := Rmin A 0 - 1). set (b := Rmax B 0 + 1).
  assert (a < A /\ a < 0) by (unfold a; pose proof (Rmin_l A 0); pose proof (Rmin_r A 0); lra).
  assert (B < b /\ 0 < b) by (unfold b; pose proof (Rmax_l B 0); pose proof (Rmax_r B 0); lra).
  destruct (HD a b) as [y [Hy By]]; [apply HA; lra | apply HB; lra |]. simpl in Hy.
  assert (0 <= y).
  { apply (is_RInt_le (fun _ => 0) (fun x => g x + -1 * f x) a b 0 y); [lra | | exact Hy |].
    - pose proof (is_RInt_const a b 0) as Z. unfold scal in Z; simpl in Z; unfold mult in Z; simpl in Z.
      rewrite Rmult_0_r in Z. exact Z.
    - intros x _. specialize (H x). lra. }
  unfold ball in By; simpl in By; unfold AbsRing_ball, abs, minus, plus, opp in By; simpl in By.
  apply Rabs_def2 in By. lra.
Qed.

Lemma over_line_comp f u v l : 0 < u -> over_line f l -> over_line (fun x => u * f (u * x + v)) l.
Proof.
  intros Hu H P HP. destruct (H P HP) as [Q1 Q2 [A HA] [B HB] HQ].
  exists (fun x => x < (A - v) / u) (fun x => (B - v) / u < x).
  - exists ((A - v) / u). tauto.
  - exists ((B - v) / u). tauto.
  - intros a b Ha Hb. destruct (HQ (u * a + v) (u * b + v)) as [y [Hy Py]].
    + apply HA. apply (Rmult_lt_compat_l u) in Ha; [|assumption]. field_simplify in Ha; lra.
    + apply HB. apply (Rmult_lt_compat_l u) in Hb; [|assumption]. field_simplify in Hb; lra.
    + exists y. split; [|exact Py]. simpl in *. apply (is_RInt_comp_lin f u v a b). exact Hy.
Qed.

Lemma over_line_primitive F f l m : (forall x, is_derive F x (f x)) -> (forall x, continuous f x) ->
  filterlim F (Rbar_locally m_infty) (locally l) -> filterlim F (Rbar_locally p_infty) (locally m) ->
  over_line f (m - l).
Proof.
  intros D C L M. assert (E : forall x, Derive F x = f x) by (intros x; apply is_derive_unique, D).
  apply (over_line_ext (Derive F)); [exact E|].
  refine (is_RInt_gen_Derive F l m _ _ L M).
  - exists (fun _ => True) (fun _ => True); [exists 0; auto | exists 0; auto |].
    intros a b _ _ z Hz. exists (f z). apply D.
  - exists (fun _ => True) (fun _ => True); [exists 0; auto | exists 0; auto |].
    intros a b _ _ z Hz. apply (continuous_ext f); [intros y; symmetry; apply E | apply C].
Qed.

(* A function that stays above a positive number on a half of the line has no integral. *)
Lemma over_line_infinite f c l : 0 < c -> (forall x, 0 <= f x) -> (forall x, continuous f x) ->
  (forall x, 0 <= x -> c <= f x) \/ (forall x, x <= 0 -> c <= f x) -> ~ over_line f l.
Proof.
  intros Hc P C Half H. destruct (H (ball l (mkposreal 1 Rlt_0_1)) (locally_ball _ _)) as [Q1 Q2 [A HA] [B HB] HQ].
  set (w := (Rabs l + 2) / c).
  assert (W : 0 < w) by (unfold w; apply Rdiv_lt_0_compat; [pose proof (Rabs_pos l) |]; lra).
  set (a := Rmin A 0 - 1 - w). set (b := Rmax B 0 + 1 + w).
  assert (a < A /\ a + w < 0) by (unfold a; pose proof (Rmin_l A 0); pose proof (Rmin_r A 0); lra).
  assert (B < b /\ w < b) by (unfold b; pose proof (Rmax_l B 0); pose proof (Rmax_r B 0); lra).
  destruct (HQ a b) as [y [Hy By]]; [apply HA; lra | apply HB; lra |]. simpl in Hy.
  unfold ball in By; simpl in By; unfold AbsRing_ball, abs, minus, plus, opp in By; simpl in By.
  apply Rabs_def2 in By.
  assert (I : forall u v, ex_RInt f u v) by (intros; apply integrable, C).
  assert (Z : forall u v, u <= v -> 0 <= RInt f u v) by (intros; apply RInt_ge_0; auto).
  assert (L : forall u, (forall x, u <= x <= u + w -> c <= f x) -> w * c <= RInt f u (u + w)).
  { intros u Hu. replace (w * c) with (RInt (fun _ => c) u (u + w)).
    - apply RInt_le; [lra | apply ex_RInt_const | apply I |]. intros x Hx. apply Hu. lra.
    - rewrite RInt_const. unfold scal; simpl; unfold mult; simpl. ring. }
  assert (V : w * c = Rabs l + 2) by (unfold w; field; lra).
  assert (y = RInt f a b) by (symmetry; apply is_RInt_unique; exact Hy).
  assert (Ch : forall u v x, RInt f u v + RInt f v x = RInt f u x) by (intros; apply (RInt_Chasles f); apply I).
  pose proof (Rle_abs l). destruct Half as [K|K].
  - pose proof (L 0 ltac:(intros; apply K; lra)). pose proof (Z a 0 ltac:(lra)).
    pose proof (Z (0 + w) b ltac:(lra)). pose proof (Ch a 0 b). pose proof (Ch 0 (0 + w) b). lra.
  - pose proof (L a ltac:(intros; apply K; lra)). pose proof (Z (a + w) b ltac:(lra)). pose proof (Ch a (a + w) b). lra.
Qed.

(* ---------------------------------------------------------------- R^d *)

Lemma integral_ext {d} (f g : vec d -> R) l : (forall v, f v = g v) -> integral f l -> integral g l.
Proof.
  revert f g l. induction d as [|n IH]; simpl; intros f g l E.
  - intros <-. symmetry. apply E.
  - intros [h [H K]]. exists h. split; [|exact K]. intros x. apply (IH (fun v => f (x, v))); auto.
Qed.

Lemma integral_unique {d} (f : vec d -> R) l m : integral f l -> integral f m -> l = m.
Proof.
  revert f l m. induction d as [|n IH]; simpl; intros f l m; [congruence|].
  intros [g [G L]] [h [H M]]. apply (over_line_unique g); [exact L|].
  apply (over_line_ext h); [|exact M]. intros x. exact (IH _ _ _ (H x) (G x)).
Qed.

Lemma integral_scal {d} (f : vec d -> R) k l : integral f l -> integral (fun v => k * f v) (k * l).
Proof.
  revert f l. induction d as [|n IH]; simpl; intros f l; [congruence|].
  intros [g [G L]]. exists (fun x => k * g x). split; [intros x; apply (IH _ _ (G x)) | apply over_line_scal, L].
Qed.

Lemma integral_plus {d} (f g : vec d -> R) l m :
  integral f l -> integral g m -> integral (fun v => f v + g v) (l + m).
Proof.
  revert f g l m. induction d as [|n IH]; simpl; intros f g l m; [congruence|].
  intros [a [F L]] [b [G M]]. exists (fun x => a x + b x).
  split; [intros x; apply (IH _ _ _ _ (F x) (G x)) | apply over_line_plus; assumption].
Qed.

Lemma integral_le {d} (f g : vec d -> R) l m : (forall v, f v <= g v) -> integral f l -> integral g m -> l <= m.
Proof.
  revert f g l m. induction d as [|n IH]; simpl; intros f g l m H; [intros <- <-; apply H|].
  intros [a [F L]] [b [G M]]. apply (over_line_le a b); try assumption.
  intros x. apply (IH (fun v => f (x, v)) (fun v => g (x, v))); auto.
Qed.

(* ---------------------------------------------------------------- vectors *)

Lemma dot_sym {d} (u v : vec d) : dot u v = dot v u.
Proof. induction d as [|n IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma norm2_nonneg {d} (u : vec d) : 0 <= norm2 u.
Proof. unfold norm2. induction d as [|n IH]; simpl; [lra|]. specialize (IH (snd u)). nra. Qed.

Lemma dot_add {d} (u v w : vec d) c : dot (add u c v) w = dot u w + c * dot v w.
Proof. induction d as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma norm2_add {d} (u v : vec d) c : norm2 (add u c v) = norm2 u + 2 * c * dot u v + c * c * norm2 v.
Proof. unfold norm2. rewrite dot_add, (dot_sym u), (dot_sym v (add u c v)), !dot_add, (dot_sym v u). ring. Qed.

Lemma dist2_expand {d} (u v : vec d) : dist2 u v = norm2 u - 2 * dot u v + norm2 v.
Proof. unfold dist2. rewrite norm2_add. ring. Qed.

Lemma dist2_sym {d} (u v : vec d) : dist2 u v = dist2 v u.
Proof. rewrite !dist2_expand, (dot_sym u v). ring. Qed.

Lemma dist2_nonneg {d} (u v : vec d) : 0 <= dist2 u v.
Proof. apply norm2_nonneg. Qed.

Lemma norm2_constant_0 {d} : norm2 (constant (d := d) 0) = 0.
Proof. unfold norm2. induction d as [|n IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma norm2_axis {n} c : norm2 (axis (n := n) c) = c * c.
Proof. pose proof (norm2_constant_0 (d := n)) as Z. unfold norm2 in *. simpl. rewrite Z. ring. Qed.

Lemma dist2_axis {n} b c : dist2 (axis (n := n) b) (axis c) = (b - c) * (b - c).
Proof.
  assert (Z : dot (constant (d := n) 0) (constant 0) = 0) by apply norm2_constant_0.
  rewrite dist2_expand, !norm2_axis. simpl. rewrite Z. ring.
Qed.
