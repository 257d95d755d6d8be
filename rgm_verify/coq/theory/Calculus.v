(* A tree has its slope where it is smooth. *)
From Coquelicot Require Import Hierarchy Continuity RInt_analysis AutoDerive.
From Rgm Require Export Statements.

Lemma put_same v x y : put v x (v x) y = v y.
Proof. unfold put. destruct (Pos.eqb_spec y x); subst; auto. Qed.
Lemma put_put v x r s y : put (put v x r) x s y = put v x s y.
Proof. unfold put. destruct (Pos.eqb y x); auto. Qed.
(* A tree depends on its variables alone. *)
Lemma tden_free v w t : (forall y, free y t = true -> v y = w y) -> tden v t = tden w t.
Proof.
  induction t; cbn [free tden]; intros H; auto;
  try (rewrite IHt by auto; reflexivity);
  try (rewrite IHt1, IHt2; [reflexivity| |]; intros y F; apply H; rewrite F; auto; destruct (free y t1); auto).
  apply H. apply Pos.eqb_refl.
Qed.
Lemma lim_local f g x l : locally x (fun u => f u = g u) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof. rewrite <- !is_derive_Reals. apply is_derive_ext_loc. Qed.
Lemma lim_ext f g x l : (forall u, f u = g u) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof. intros E. apply lim_local, filter_forall, E. Qed.
Lemma lim_zpow e x : (0 <= e)%Z \/ x <> 0 -> derivable_pt_lim (fun u => zpow u e) x (IZR e * zpow x (e - 1)).
Proof.
  assert (N : forall u n, zpow u (Z.of_nat n) = u ^ n).
  { intros u [|n]; simpl; rewrite ?SuccNat2Pos.id_succ; reflexivity. }
  intros H. destruct e as [|p|p].
  - rewrite Rmult_0_l. apply derivable_pt_lim_const.
  - destruct (Pos2Nat.is_succ p) as [n P]. rewrite <- (positive_nat_Z p), P.
    replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. rewrite N, <- INR_IZR_INZ.
    apply (lim_ext (fun u => u ^ S n)); [intros; symmetry; apply N|apply derivable_pt_lim_pow].
  - assert (X : x <> 0) by (destruct H; [lia|auto]). set (n := Pos.to_nat p).
    assert (E : x ^ n = x * x ^ pred n) by (rewrite tech_pow_Rmult, Nat.succ_pred; auto; unfold n; lia).
    assert (P : x ^ n <> 0) by (apply pow_nonzero; auto). pose proof (pow_nonzero x (pred n) X).
    replace (IZR (Zneg p) * zpow x (Zneg p - 1)) with (- (INR n * x ^ pred n) / (x ^ n) ^ 2).
    + apply is_derive_Reals, is_derive_inv; auto. apply is_derive_Reals, derivable_pt_lim_pow.
    + unfold Z.sub. rewrite zpow_add by auto. cbn [zpow Z.opp]. fold n. change (IZR (Zneg p)) with (- IPR p).
      rewrite <- INR_IPR. fold n. rewrite E. simpl. field. auto.
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
  apply (lim_local (fun u => Rpower u (IZR e / IZR (Zpos q)))).
  - generalize (open_gt 0 x P). apply filter_imp. intros u H. symmetry. apply zpow_root, H.
  - replace (IZR (e - Zpos q) / IZR (Zpos q)) with (IZR e / IZR (Zpos q) - 1).
    + apply derivable_pt_lim_power, P.
    + rewrite minus_IZR. field. apply (not_0_IZR (Zpos q)). discriminate.
Qed.
Lemma lim_power f g x l m : 0 < f x -> derivable_pt_lim f x l -> derivable_pt_lim g x m ->
  derivable_pt_lim (fun u => power (f u) (g u)) x (power (f x) (g x) * (m * ln (f x) + g x * l * / f x)).
Proof.
  intros P F G. assert (C : continuous f x).
  { apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). exists l. apply is_derive_Reals, F. }
  apply (lim_local (fun u => exp (g u * ln (f u)))).
  - apply (filter_imp (fun u => 0 < f u)); [|exact (C _ (open_gt 0 _ P))]. intros u H. symmetry. apply power_ok, H.
  - rewrite power_ok by auto.
    apply (derivable_pt_lim_comp (fun u => g u * ln (f u)) exp); [|apply derivable_pt_lim_exp].
    replace (m * ln (f x) + g x * l * / f x) with (m * ln (f x) + g x * (/ f x * l)) by ring.
    apply (derivable_pt_lim_mult g (fun u => ln (f u))); auto.
    apply (derivable_pt_lim_comp f ln); auto. apply derivable_pt_lim_ln, P.
Qed.
Lemma lim_erf x : derivable_pt_lim erf x (2 * / sqrt PI * exp (- x ^ 2)).
Proof.
  apply is_derive_Reals. unfold erf. set (f := fun t => exp (- t ^ 2)).
  apply (is_derive_scal (RInt (V := R_CompleteNormedModule) f 0)).
  assert (C : forall t, continuous f t).
  { intros t. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). unfold f. auto_derive. exact I. }
  apply (is_derive_RInt f _ 0); [|apply C]. apply filter_forall. intros y.
  apply (RInt_correct (V := R_CompleteNormedModule)), (ex_RInt_continuous (V := R_CompleteNormedModule)). auto.
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
  - rewrite !shown_zpow. apply (lim_ext (fun u => zpow (tden (put v x u) t) e)); [symmetry; apply shown_zpow|].
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
  - apply (derivable_pt_lim_comp (fun u => tden (put v x u) t) erf); [auto|]. rewrite V. apply lim_erf.
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
  { intros a c E S A [H _].
    generalize (sign_open x a v c E S A H). apply filter_imp. intros u F. exact (Logic.conj F I). }
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
  assert (T : forall r, tden (put (put v x (tden v p)) x r) f = tden (put v x r) f) by (intros; rewrite P; reflexivity).
  split; [revert E; apply ex_derive_n_ext, T|]. rewrite (Derive_n_ext _ _ n _ T), P in L.
  apply IH; auto. rewrite L. exact A2.
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
  set (F := fun u => tden (put v x u) f). set (F' := fun c => tden (put (put v w c) x c) (slope x f)).
  (* At the point, x is c, and f does not see w. *)
  assert (FX : forall c u, tden (put (put v w c) x u) f = F u).
  { intros c u. apply tden_free. intros y Y. unfold put. destruct (Pos.eqb y x); auto.
    destruct (Pos.eqb_spec y w); subst; congruence. }
  assert (W : forall c, tden (put v w c) (TV w) = c) by (intros; cbn [tden]; unfold put; rewrite Pos.eqb_refl; auto).
  rewrite (diff_ok tbl rho v G _ _ _ D1) in P.
  assert (D : forall c, tden v first <= c <= tden v last -> derivable_pt_lim F c (F' c)).
  { intros c C. destruct (Q c) as [r [Gr H]].
    rewrite (diff_ok tbl r _ Gr _ _ _ D3), (diff_ok tbl r _ Gr _ _ _ D2), (ST _ FL), (ST _ FF), W in H.
    pose proof (proj1 (tfs_ok tbl r _ Gr _ _ D4) (H ltac:(lra) ltac:(lra))) as A. rewrite all_substf, at_put, W in A.
    pose proof (slope_ok x f _ S A) as L. unfold put at 4 in L. rewrite Pos.eqb_refl in L. revert L.
    apply lim_ext. intros u. rewrite <- (FX c u). apply tden_ext. intros y. apply put_put. }
  destruct (MVT_cor2 F F' _ _ (Rminus_gt_0_lt _ _ P) D) as [c [E C]]. exists c. intros r Gr.
  rewrite (diff_ok tbl r _ Gr _ _ _ D3), (diff_ok tbl r _ Gr _ _ _ D2), (ST _ FL), (ST _ FF), W.
  split; [lra|split; [lra|]].
  rewrite psub_ok, (FactsSound.mulok' tbl r _ Gr), (diff_ok tbl r _ Gr _ _ _ D5), (diff_ok tbl r _ Gr _ _ _ D7).
  rewrite (norm_ok tbl r _ Gr _ _ D6), !tden_subst, !at_put, (ST _ WH), (ST _ WL), !FX, W. fold (F' c).
  revert E. unfold first, last. destruct up; intros E; lra.
Qed.
End MeanValue.
