(* A tree has its slope where it is smooth. *)
From Coquelicot Require Import Hierarchy Continuity.
From Rgm Require Export Statements.

Lemma put_same v x y : put v x (v x) y = v y.
Proof. unfold put. destruct (Pos.eqb_spec y x); subst; auto. Qed.
Lemma put_put v x r s y : put (put v x r) x s y = put v x s y.
Proof. unfold put. destruct (Pos.eqb y x); auto. Qed.
(* Trees and conditions depend on their variables alone. *)
Lemma tden_free v w t : (forall y, free y t = true -> v y = w y) -> tden v t = tden w t.
Proof.
  induction t; cbn [free tden]; intros H; auto;
  try (rewrite IHt by auto; reflexivity);
  try (rewrite IHt1, IHt2; [reflexivity| |]; intros y F; apply H; rewrite F; auto; destruct (free y t1); auto).
  apply H. apply Pos.eqb_refl.
Qed.
Lemma smooth_free v w x t : (forall y, free y t = true -> v y = w y) -> all v (smooth x t) -> all w (smooth x t).
Proof.
  assert (G : forall a b, (forall y, free y a = true -> v y = w y) -> fsem v (TRel b a (TZ 0)) ->
    fsem w (TRel b a (TZ 0))).
  { intros a b H. cbn [fsem tden]. rewrite (tden_free v w a H). auto. }
  induction t; cbn [smooth]; intros H; destruct (free x _); auto; cbn [free] in H.
  all: try (assert (H1 : forall y, free y t1 = true -> v y = w y) by (intros y F; apply H; rewrite F; auto)).
  all: try (assert (H2 : forall y, free y t2 = true -> v y = w y)
    by (intros y F; apply H; rewrite F; destruct (free y t1); auto)).
  all: rewrite ?all_app; try (intuition; fail).
  - destruct e; try (intuition; fail). intros [A [B C]]. split; auto. split; [apply (G _ Ne); auto|exact I].
  - intros [A [B C]]. split; auto. split; [apply (G _ Gt); auto|exact I].
  - intros [A [B C]]. split; auto. split; [apply (G _ Gt); auto|exact I].
  - intros [A [B [C D]]]. split; auto. split; auto. split; [apply (G _ Gt); auto|exact I].
Qed.

Lemma lim_local f g x l d : 0 < d -> (forall u, Rabs (u - x) < d -> f u = g u) ->
  derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof.
  intros P E D e He. destruct (D e He) as [[k K] H]. assert (M : 0 < Rmin k d) by (apply Rmin_pos; auto).
  exists (mkposreal _ M). intros h N A. simpl in A. pose proof (Rmin_l k d). pose proof (Rmin_r k d).
  rewrite <- !E; [apply H; simpl; auto; lra| |].
  - rewrite Rminus_eq_0, Rabs_R0. auto.
  - replace (x + h - x) with h by ring. lra.
Qed.
Lemma lim_ext f g x l : (forall u, f u = g u) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof. intros E. apply (lim_local f g x l 1); [lra|auto]. Qed.
Lemma lim_zpow e x : (0 <= e)%Z \/ x <> 0 -> derivable_pt_lim (fun u => zpow u e) x (IZR e * zpow x (e - 1)).
Proof.
  intros H. destruct e as [|p|p].
  - rewrite Rmult_0_l. apply derivable_pt_lim_const.
  - replace (IZR (Zpos p) * zpow x (Zpos p - 1)) with (INR (Pos.to_nat p) * x ^ pred (Pos.to_nat p)).
    { apply derivable_pt_lim_pow. }
    rewrite INR_IPR. change (IPR p) with (IZR (Zpos p)). f_equal.
    destruct (Pos.succ_pred_or p) as [->|E]; [reflexivity|]. rewrite <- E at 2.
    replace (Zpos (Pos.succ (Pos.pred p)) - 1)%Z with (Zpos (Pos.pred p)) by lia. simpl. f_equal.
    rewrite <- E at 1. rewrite Pos2Nat.inj_succ. reflexivity.
  - assert (X : x <> 0) by (destruct H; [lia|auto]). set (n := Pos.to_nat p).
    pose proof (derivable_pt_lim_pow x n) as D.
    assert (P : x ^ n <> 0) by (apply pow_nonzero; auto).
    pose proof (derivable_pt_lim_div (fct_cte 1) (fun y => y ^ n) x 0 _ (derivable_pt_lim_const 1 x) D P) as Q.
    replace (IZR (Zneg p) * zpow x (Zneg p - 1)) with
      ((0 * x ^ n - INR n * x ^ pred n * fct_cte 1 x) / Rsqr (x ^ n)).
    { revert Q. apply lim_ext. intros u. unfold div_fct, fct_cte, Rdiv. apply Rmult_1_l. }
    replace (Zneg p - 1)%Z with (Zneg (Pos.succ p)) by lia. cbn [zpow]. rewrite Pos2Nat.inj_succ. fold n.
    change (IZR (Zneg p)) with (- IPR p). rewrite <- INR_IPR. fold n. unfold fct_cte, Rsqr.
    assert (S : n = S (pred n)) by (pose proof (Pos2Nat.is_pos p); unfold n; lia).
    assert (E : x ^ n = x * x ^ pred n) by (rewrite S at 1; reflexivity). rewrite E in P |- *.
    cbn [pow]. rewrite ?E. field. split; auto. intros K. apply P. rewrite K. ring.
Qed.
Lemma root_Rpower q x : 0 < x -> root q x = Rpower x (/ IZR (Zpos q)).
Proof.
  intros P. unfold root. destruct q as [q|[q|q|]|]; try (destruct (Rlt_dec 0 x); [reflexivity|lra]).
  symmetry. apply Rpower_sqrt, P.
Qed.
Lemma zpow_root q x e : 0 < x -> zpow (root q x) e = Rpower x (IZR e / IZR (Zpos q)).
Proof.
  intros P. rewrite root_Rpower by auto. unfold Rpower. rewrite <- exp_zpow. f_equal. field.
  apply (not_0_IZR (Zpos q)). discriminate.
Qed.
Lemma lim_root q e x : 0 < x ->
  derivable_pt_lim (fun u => zpow (root q u) e) x (IZR e / IZR (Zpos q) * zpow (root q x) (e - Zpos q)).
Proof.
  intros P. rewrite zpow_root by auto.
  apply (lim_local (fun u => Rpower u (IZR e / IZR (Zpos q))) _ _ _ x P).
  - intros u H. symmetry. apply zpow_root. apply Rabs_def2 in H. lra.
  - replace (IZR (e - Zpos q) / IZR (Zpos q)) with (IZR e / IZR (Zpos q) - 1).
    + apply derivable_pt_lim_power, P.
    + rewrite minus_IZR. field. apply (not_0_IZR (Zpos q)). discriminate.
Qed.
Lemma lim_power f g x l m : 0 < f x -> derivable_pt_lim f x l -> derivable_pt_lim g x m ->
  derivable_pt_lim (fun u => power (f u) (g u)) x (power (f x) (g x) * (m * ln (f x) + g x * l * / f x)).
Proof.
  intros P F G. assert (C : continuity_pt f x) by (apply derivable_continuous_pt; exists l; exact F).
  destruct (C (f x) P) as [d [D N]].
  apply (lim_local (fun u => exp (g u * ln (f u))) _ _ _ d D).
  - intros u H. assert (Q : 0 < f u).
    { destruct (Req_EM_T x u) as [<-|E]; auto. specialize (N u). simpl in N. unfold R_dist, D_x, no_cond in N.
      assert (K : Rabs (f u - f x) < f x) by auto. apply Rabs_def2 in K. lra. }
    symmetry. apply power_ok, Q.
  - rewrite power_ok by auto.
    apply (derivable_pt_lim_comp (fun u => g u * ln (f u)) exp); [|apply derivable_pt_lim_exp].
    replace (m * ln (f x) + g x * l * / f x) with (m * ln (f x) + g x * (/ f x * l)) by ring.
    apply (derivable_pt_lim_mult g (fun u => ln (f u))); auto.
    apply (derivable_pt_lim_comp f ln); auto. apply derivable_pt_lim_ln, P.
Qed.

Theorem slope_ok x t v : smoothable x t = true -> all v (smooth x t) ->
  derivable_pt_lim (fun u => tden (put v x u) t) (v x) (tden v (slope x t)).
Proof.
  assert (V : forall t, tden (put v x (v x)) t = tden v t) by (intros; apply tden_ext, put_same).
  assert (C : forall t, free x t = false -> derivable_pt_lim (fun u => tden (put v x u) t) (v x) 0).
  { intros s F. apply (lim_ext (fct_cte (tden v s))); [|apply derivable_pt_lim_const].
    intros u. unfold fct_cte. apply tden_free. intros y H. unfold put.
    destruct (Pos.eqb_spec y x); subst; congruence. }
  induction t; cbn [smoothable smooth slope]; intros S A;
    match goal with |- context [if free x ?s then _ else _] => destruct (free x s) eqn:F end; try (apply C; exact F);
    rewrite ?all_app in A; cbn [tden].
  all: try (destruct (smoothable x t1) eqn:S1; [|discriminate]).
  - apply (lim_ext id); [|apply derivable_pt_lim_id]. intros u. unfold id, put. cbn [free] in F. rewrite F.
    reflexivity.
  - discriminate.
  - discriminate.
  - discriminate.
  - apply (derivable_pt_lim_plus (fun u => tden (put v x u) t1) (fun u => tden (put v x u) t2)); tauto.
  - apply (derivable_pt_lim_minus (fun u => tden (put v x u) t1) (fun u => tden (put v x u) t2)); tauto.
  - apply (derivable_pt_lim_opp (fun u => tden (put v x u) t)); auto.
  - pose proof (derivable_pt_lim_mult _ _ _ _ _ (IHt1 eq_refl (proj1 A)) (IHt2 S (proj2 A))) as D.
    cbv beta in D. rewrite !V in D.
    assert (Z : forall s, free x s = false -> tden v (slope x s) = 0) by (intros s K; destruct s; cbn [slope];
      rewrite K; auto).
    destruct (free x t1) eqn:F1; [destruct (free x t2) eqn:F2|]; cbn [tden].
    + exact D.
    + rewrite (Z t2 F2) in D. rewrite Rmult_0_r, Rplus_0_r in D. exact D.
    + rewrite (Z t1 F1) in D. rewrite Rmult_0_l, Rplus_0_l in D. exact D.
  - rewrite !shown_zpow. apply (lim_ext (fun u => zpow (tden (put v x u) t) e)); [intros; symmetry;
      apply shown_zpow|].
    apply (derivable_pt_lim_comp (fun u => tden (put v x u) t) (fun y => zpow y e)); [tauto|].
    rewrite V. apply lim_zpow. destruct e; [left; lia|left; lia|right]. apply (proj2 A).
  - rewrite !shown_zpow.
    apply (lim_ext (fun u => zpow (root q (tden (put v x u) t)) e)); [intros; symmetry; apply shown_zpow|].
    apply (derivable_pt_lim_comp (fun u => tden (put v x u) t) (fun y => zpow (root q y) e)); [tauto|].
    rewrite V. apply lim_root. apply (proj1 (proj2 A)).
  - apply (derivable_pt_lim_comp (fun u => tden (put v x u) t) exp); [auto|]. rewrite V. apply derivable_pt_lim_exp.
  - cbn [shown]. apply (derivable_pt_lim_comp (fun u => tden (put v x u) t) ln); [tauto|].
    rewrite V. apply derivable_pt_lim_ln. apply (proj1 (proj2 A)).
  - discriminate.
  - destruct A as [A1 [A2 [A3 _]]]. cbn [shown].
    pose proof (lim_power (fun u => tden (put v x u) t1) (fun u => tden (put v x u) t2) (v x) (tden v (slope x t1))
      (tden v (slope x t2))) as D. cbv beta in D. rewrite !V in D. apply D; auto.
Qed.

Lemma slope_free x y t : free y (slope x t) = true -> free y t = true.
Proof.
  induction t; cbn [slope];
    match goal with |- context [if free x ?s then _ else _] => destruct (free x s) end;
    cbn [free]; try discriminate; auto;
    repeat match goal with |- context [if free x ?s then _ else _] => destruct (free x s) end; cbn [free];
    repeat match goal with |- context [free y ?t] => destruct (free y t) eqn:? end; intros;
    repeat match goal with H : ?a = true -> _, K : ?a = true |- _ => specialize (H K) end; congruence.
Qed.
Lemma all_substf v im l : all v (map (substf im) l) <-> all (fun x => tden v (im x)) l.
Proof.
  induction l as [|f l IH]; [simpl; tauto|].
  change (fsem v (substf im f) /\ all v (map (substf im) l) <-> fsem (fun x => tden v (im x)) f /\ all (fun x =>
    tden v (im x)) l).
  rewrite fsem_subst, IH. tauto.
Qed.

(* Near a point where a tree is smooth it is so as well; so it has the slopes of its slopes. *)
Lemma sign_open x t v c : c = Gt \/ c = Ne -> smoothable x t = true -> all v (smooth x t) ->
  fsem v (TRel c t (TZ 0)) -> locally (v x) (fun u => fsem (put v x u) (TRel c t (TZ 0))).
Proof.
  intros E S A H. assert (C : continuous (fun u => tden (put v x u) t) (v x)).
  { apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). exists (tden v (slope x t)).
    apply is_derive_Reals, slope_ok; auto. }
  assert (V : tden (put v x (v x)) t = tden v t) by (apply tden_ext, put_same).
  apply (C (fun y => rel c y 0)). rewrite V.
  destruct E; subst c; cbn [fsem tden rel] in *; [apply (open_gt 0)|apply (open_neq 0)]; exact H.
Qed.
Lemma all_open v x l k : locally (v x) (fun u => all (put v x u) l) -> locally (v x) (fun u => all (put v x u) k) ->
  locally (v x) (fun u => all (put v x u) (l ++ k)).
Proof. intros L K. generalize (filter_and _ _ L K). apply filter_imp. intros u H. apply all_app, H. Qed.
Lemma smooth_open x t v : smoothable x t = true -> all v (smooth x t) ->
  locally (v x) (fun u => all (put v x u) (smooth x t)).
Proof.
  assert (N : locally (v x) (fun u => all (put v x u) [])) by (apply filter_forall; intros; exact I).
  assert (G : forall a c, c = Gt \/ c = Ne -> smoothable x a = true -> all v (smooth x a) ->
    all v [TRel c a (TZ 0)] -> locally (v x) (fun u => all (put v x u) [TRel c a (TZ 0)])).
  { intros a c E S A [H _]. generalize (sign_open x a v c E S A H). apply filter_imp. intros u F. split; [exact F|exact I]. }
  induction t; cbn [smoothable smooth]; destruct (free x _); intros S A; auto; rewrite ?all_app in A.
  all: try (destruct (smoothable x t1) eqn:S1; [|discriminate]).
  all: repeat match goal with H : _ /\ _ |- _ => destruct H end; repeat apply all_open; auto.
  destruct e; auto.
Qed.
Lemma slope_n_ok n x t v : smoothable_n n x t = true -> all v (smooth_n n x t) ->
  let F u := tden (put v x u) t in
  ex_derive_n F n (v x) /\ locally (v x) (fun u => Derive_n F n u = tden (put v x u) (slope_n n x t)).
Proof.
  intros S A F. induction n as [|n IH]; cbn [smoothable_n smooth_n slope_n] in *.
  { split; [exact I|]. apply filter_forall. reflexivity. }
  destruct (smoothable x _) eqn:S1; [|discriminate]. rewrite all_app in A. destruct A as [A1 A2].
  destruct (IH S A2) as [_ L]. clear IH. set (t' := slope_n n x t) in *.
  assert (D : locally (v x) (fun u => is_derive (Derive_n F n) u (tden (put v x u) (slope x t')))).
  { generalize (filter_and _ _ (smooth_open x t' v S1 A1) (locally_locally _ _ L)). apply filter_imp.
    intros u [B M]. apply (is_derive_ext_loc (fun r => tden (put v x r) t')).
    - revert M. apply filter_imp. auto.
    - apply is_derive_Reals. pose proof (slope_ok x t' (put v x u) S1 B) as K. unfold put at 3 in K.
      rewrite Pos.eqb_refl in K. revert K. apply lim_ext. intros r. apply tden_ext. intros y. apply put_put. }
  split; [exists (tden (put v x (v x)) (slope x t')); apply (locally_singleton _ _ D)|].
  revert D. apply filter_imp. intros u D. apply is_derive_unique, D.
Qed.
Lemma at_put v x t : (fun y => tden v (at_ x t y)) = put v x (tden v t).
Proof.
  apply FunctionalExtensionality.functional_extensionality. intros y. unfold at_, put.
  rewrite Pos.eqb_sym. destruct (Pos.eqb y x); reflexivity.
Qed.
Lemma resolve_ok l fs : forall v, all_smoothable l = true ->
  all v (resolve l fs) -> where_slopes v l (fun w => all w fs).
Proof.
  induction l as [|[d [[[n x] f] p]] l IH]; cbn [resolve where_slopes]; intros v S A; auto.
  apply andb_true_iff in S. destruct S as [S1 S2]. rewrite all_app, !all_substf, !at_put, tden_subst, at_put in A.
  destruct A as [A1 A2]. destruct (slope_n_ok n x f _ S1 A1) as [E L]. apply locally_singleton in L.
  replace (put v x (tden v p) x) with (tden v p) in E, L by (unfold put; rewrite Pos.eqb_refl; auto).
  assert (P : forall r, put (put v x (tden v p)) x r = put v x r)
    by (intros; apply FunctionalExtensionality.functional_extensionality; intros y; apply put_put).
  split.
  - revert E. apply ex_derive_n_ext. intros r. rewrite P. reflexivity.
  - apply IH; auto. rewrite P in L. rewrite <- L in A2. rewrite (Derive_n_ext _ (fun u => tden (put (put v x (tden v p)) x u) f)).
    + exact A2.
    + intros r. rewrite P. reflexivity.
Qed.

Section MeanValue.
Variable tbl : table.
Definition good (rho : positive -> R) (v : env) := Forall (fun '(i, d) => rho i = aval rho v d) tbl.
Lemma mean_value_ok f x low high up w apart below above conditions equation rho v :
  mean_value tbl f x low high up w = Some (apart, (below, above), conditions, equation) ->
  good rho v -> 0 < pev rho apart ->
  (forall c, exists r, good r (put v w c) /\
    (0 <= pev r above -> 0 <= pev r below -> Forall (FactsSound.fden r) conditions)) ->
  exists c, forall r, good r (put v w c) -> 0 < pev r above /\ 0 < pev r below /\ pev r equation = 0.
Proof.
  unfold mean_value. destruct (smoothable x f) eqn:S; [|discriminate].
  destruct (Pos.eqb x w) eqn:XW; [discriminate|]. destruct (free w f) eqn:WF; [discriminate|].
  destruct (free w low) eqn:WL; [discriminate|]. destruct (free w high) eqn:WH; [discriminate|]. cbn [negb].
  set (first := if up then low else high). set (last := if up then high else low).
  destruct (diff tbl last first) as [p1|] eqn:D1; [|discriminate].
  destruct (diff tbl (TV w) first) as [p2|] eqn:D2; [|discriminate].
  destruct (diff tbl last (TV w)) as [p3|] eqn:D3; [|discriminate].
  destruct (tfs tbl _) as [cs|] eqn:D4; [|discriminate].
  destruct (diff tbl (subst _ f) _) as [gap|] eqn:D5; [|discriminate].
  destruct (norm tbl _) as [rate|] eqn:D6; [|discriminate].
  destruct (diff tbl high low) as [way|] eqn:D7; [|discriminate].
  intros K. injection K as <- <- <- <- <-. intros G P Q.
  assert (ST : forall t, free w t = false -> forall c, tden (put v w c) t = tden v t).
  { intros t F c. apply tden_free. intros y Y. unfold put. destruct (Pos.eqb_spec y w); subst; congruence. }
  assert (FF : free w first = false) by (unfold first; destruct up; auto).
  assert (FL : free w last = false) by (unfold last; destruct up; auto).
  (* At the point, x is c and the other variables are as they were. *)
  assert (AT : forall c y, free y f = true -> tden (put v w c) (at_ x (TV w) y) = put v x c y).
  { intros c y Y. unfold at_. rewrite (Pos.eqb_sym x y). unfold put. destruct (Pos.eqb_spec y x); simpl.
    - rewrite Pos.eqb_refl. reflexivity.
    - destruct (Pos.eqb_spec y w); subst; congruence. }
  set (F := fun u => tden (put v x u) f). set (F' := fun c => tden (put v x c) (slope x f)).
  rewrite (diff_ok tbl rho v G _ _ _ D1) in P.
  assert (D : forall c, tden v first <= c <= tden v last -> derivable_pt_lim F c (F' c)).
  { intros c C. destruct (Q c) as [r [Gr H]]. rewrite (diff_ok tbl r _ Gr _ _ _ D3), (diff_ok tbl r _ Gr _ _ _ D2)
      in H.
    rewrite (ST _ FL), (ST _ FF) in H.
    replace (tden (put v w c) (TV w)) with c in H by (cbn [tden]; unfold put; rewrite Pos.eqb_refl; auto).
    assert (A : all (put v w c) (map (substf (at_ x (TV w))) (smooth x f))) by (apply (tfs_ok tbl r _ Gr _ _ D4),
      H; lra).
    apply all_substf in A. apply (smooth_free _ (put v x c)) in A; [|apply AT].
    pose proof (slope_ok x f (put v x c) S A) as L. unfold put at 3 in L. rewrite Pos.eqb_refl in L.
    revert L. apply lim_ext. intros u. apply tden_ext. intros y. apply put_put. }
  destruct (MVT_cor2 F F' _ _ (Rminus_gt_0_lt _ _ P) D) as [c [E C]]. exists c. intros r Gr.
  rewrite (diff_ok tbl r _ Gr _ _ _ D3), (diff_ok tbl r _ Gr _ _ _ D2), (ST _ FL), (ST _ FF).
  replace (tden (put v w c) (TV w)) with c by (cbn [tden]; unfold put; rewrite Pos.eqb_refl; auto).
  split; [lra|split; [lra|]].
  rewrite psub_ok, (FactsSound.mulok' tbl r _ Gr), (diff_ok tbl r _ Gr _ _ _ D5), (diff_ok tbl r _ Gr _ _ _ D7).
  rewrite (norm_ok tbl r _ Gr _ _ D6), !tden_subst, (ST _ WH), (ST _ WL).
  assert (EN : forall t, free w t = false -> forall y, free y f = true ->
    tden (put v w c) (at_ x t y) = put v x (tden v t) y).
  { intros t T y Y. unfold at_, put. rewrite (Pos.eqb_sym x y). destruct (Pos.eqb_spec y x); [apply ST, T|].
    simpl. unfold put. destruct (Pos.eqb_spec y w); subst; congruence. }
  rewrite (tden_free _ (put v x (tden v high)) f (EN high WH)), (tden_free _ (put v x (tden v low)) f (EN low WL)).
  rewrite (tden_free _ (put v x c) (slope x f)) by (intros y Y; apply AT, (slope_free x), Y).
  fold (F (tden v high)) (F (tden v low)) (F' c). revert E. unfold first, last. destruct up; intros E; lra.
Qed.
End MeanValue.
