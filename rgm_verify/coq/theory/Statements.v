(* Formulas of statements, and a statement at values of its variables. *)
From Rgm Require Export RulesSound.

Section Formulas.
Variable tbl : table.
Variable rho : positive -> R.
Variable v : env.
Hypothesis good : Forall (fun '(i, d) => rho i = aval rho v d) tbl.
Local Notation ev := (pev rho).
Local Notation fden := (fden rho).

Lemma diff_ok a b p : diff tbl a b = Some p -> ev p = tden v a - tden v b.
Proof.
  unfold diff. destruct (norm tbl a) as [x|] eqn:X; [|discriminate].
  destruct (norm tbl b) as [y|] eqn:Y; [|discriminate].
  intros K. rewrite (some_inj K), psub_ok, (norm_ok tbl rho v good _ _ X), (norm_ok tbl rho v good _ _ Y).
  reflexivity.
Qed.
Lemma tf_ok f : forall g, tf tbl f = Some g -> (fden g <-> fsem v f).
Proof.
  induction f as [c a b|f IHf g IHg|f IHf g IHg|f IHf g IHg|f IHf g IHg]; cbn [tf]; intros h.
  { destruct (match c with Le | Lt => diff tbl b a | _ => diff tbl a b end) as [p|] eqn:E; [|discriminate].
    intros K. rewrite (some_inj K). cbn [FactsSound.fden fsem].
    destruct c; apply diff_ok in E; cbn [opof says rel]; rewrite E; lra. }
  all: destruct (tf tbl f) as [x|]; [|discriminate]; destruct (tf tbl g) as [y|]; [|discriminate].
  all: intros K; rewrite (some_inj K); cbn [fsem]; rewrite <- (IHf _ eq_refl), <- (IHg _ eq_refl).
  - destruct g; unfold or1; cbn [FactsSound.fden]; tauto.
  - destruct g; unfold or1; cbn [FactsSound.fden]; tauto.
  - pose proof (neg_ok rho x). unfold or1. cbn [FactsSound.fden]. tauto.
  - pose proof (neg_ok rho x). pose proof (neg_ok rho y). unfold or1. cbn [FactsSound.fden]. tauto.
Qed.
Lemma tfs_ok l : forall k, tfs tbl l = Some k -> (Forall fden k <-> all v l).
Proof.
  induction l as [|f l IH]; cbn [tfs]; intros k. { intros K. rewrite (some_inj K). simpl. split; auto. }
  destruct (tf tbl f) as [a|] eqn:F; [|discriminate]. destruct (tfs tbl l) as [r|]; [|discriminate].
  intros K. rewrite (some_inj K). cbn [all fold_right]. apply tf_ok in F. specialize (IH _ eq_refl). unfold all in IH.
  rewrite <- IH, <- F. split; [intros U; inversion U; auto|intros []; constructor; auto].
Qed.
Lemma all_in l : all v l <-> forall f, In f l -> fsem v f.
Proof.
  induction l as [|f l IH]; [simpl; tauto|]. change (fsem v f /\ all v l <-> forall g, In g (f :: l) -> fsem v g).
  rewrite IH. split.
  - intros [H K] g [<-|G]; auto.
  - intros H. split; [apply H; left; auto|intros; apply H; right; auto].
Qed.
End Formulas.

Lemma all_app v l k : all v (l ++ k) <-> all v l /\ all v k.
Proof. induction l as [|f l IH]; simpl; [tauto|]. unfold all in *. rewrite IH. tauto. Qed.
Lemma tden_subst v im t : tden v (subst im t) = tden (fun x => tden v (im x)) t.
Proof. induction t; simpl; congruence. Qed.
Lemma tden_ext v w t : (forall x, v x = w x) -> tden v t = tden w t.
Proof. intros H. induction t; simpl; congruence. Qed.
Lemma fsem_subst v im f : fsem v (substf im f) <-> fsem (fun x => tden v (im x)) f.
Proof. induction f; simpl; rewrite ?tden_subst; tauto. Qed.
(* Where x^y is defined: for an exponent that is an integer by its form, and for another one. *)
Definition has_power (whole : bool) (x y : R) : Prop := if whole then y >= 0 \/ x <> 0 else x > 0 \/ x >= 0 /\ y > 0.
Lemma asks_power v w a b : all v (asks (TPower w a b)) <-> has_power w (tden v a) (tden v b).
Proof.
  destruct w; [|simpl; tauto]. destruct b as [|z| | | | | | | | | | | | |]; try (simpl; tauto).
  assert (P : forall p, IZR (Zpos p) > 0) by (intros; apply (IZR_lt 0); lia).
  assert (N : forall p, IZR (Zneg p) < 0) by (intros; apply (IZR_lt _ 0); lia).
  destruct z as [|p|p]; simpl; split; intros H; auto.
  - left. lra.
  - left. left. apply P.
  - tauto.
  - split; auto. pose proof (N p). destruct H; auto. lra.
Qed.
Lemma asks_subst v im t :
  (forall x, t <> TV x) -> (all v (asks (subst im t)) <-> all (fun x => tden v (im x)) (asks t)).
Proof.
  intros H. destruct t as [x| | | | | | | |a e|q a e| | | |w a b|]; try (simpl; rewrite ?tden_subst; tauto).
  - destruct (H x eq_refl).
  - destruct e; simpl; rewrite ?tden_subst; tauto.
  - destruct e; simpl; rewrite ?tden_subst; tauto.
  - cbn [subst]. rewrite !asks_power, !tden_subst. tauto.
Qed.
Lemma needs_subst v im t : all v (needs (subst im t)) -> all (fun x => tden v (im x)) (needs t).
Proof.
  set (w := fun x => tden v (im x)).
  assert (A : forall t, (forall x, t <> TV x) -> all v (asks (subst im t)) -> all w (asks t)) by (intros;
    apply asks_subst; auto).
  induction t; intros H; cbn [needs subst] in *; try exact I; rewrite ?all_app in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H | |- _ /\ _ => split end; auto; apply A; try discriminate;
    assumption.
Qed.
Lemma needs_back v im t : (forall x, all v (needs (im x))) -> all (fun x => tden v (im x)) (needs t) ->
  all v (needs (subst im t)).
Proof.
  intros N. set (w := fun x => tden v (im x)).
  assert (A : forall t, (forall x, t <> TV x) -> all w (asks t) -> all v (asks (subst im t))) by (intros;
    apply asks_subst; auto).
  induction t; intros H; cbn [needs subst] in *; try exact I; auto; rewrite ?all_app in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H | |- _ /\ _ => split end; auto;
  match goal with H : all w (asks ?t) |- _ => apply (A t); [discriminate|assumption] end.
Qed.
Lemma needsf_subst v im f : all v (needsf (substf im f)) -> all (fun x => tden v (im x)) (needsf f).
Proof. induction f; cbn [needsf substf]; rewrite !all_app; intros []; split; auto; apply needs_subst; auto. Qed.
Lemma needsf_back v im f : (forall x, all v (needs (im x))) -> all (fun x => tden v (im x)) (needsf f) ->
  all v (needsf (substf im f)).
Proof. intros N. induction f; cbn [needsf substf]; rewrite !all_app; intros []; split; auto; apply needs_back;
  auto. Qed.
Lemma granted_subst v im f : all v (obligations im f) -> all (fun x => tden v (im x)) (granted f).
Proof.
  unfold obligations. rewrite all_app. intros [N [F _]]. revert N F.
  induction f; cbn [needsf substf granted]; intros N F; try (split; [apply fsem_subst; exact F|exact I]).
  - rewrite all_app in N. rewrite !all_app. destruct N. repeat split; try (apply needs_subst; auto).
    apply (fsem_subst v im (TRel c a b)). exact F.
  - rewrite all_app in N. destruct N, F. rewrite all_app. auto.
Qed.
Lemma all_flat v (A : Type) (g : A -> list tform) l : all v (flat_map g l) <-> forall x, In x l -> all v (g x).
Proof.
  induction l as [|a l IH]; simpl flat_map. { simpl. tauto. } rewrite all_app, IH. split.
  - intros [] x [<-|]; auto. - intros H; split; [apply H; left; auto|intros; apply H; right; auto].
Qed.
Lemma whole_ok v ints t : (forall x, In x ints -> exists z, v x = IZR z) -> is_whole ints t = true ->
  exists z, tden v t = IZR z.
Proof.
  intros H. induction t; simpl; try discriminate.
  - intros K. apply existsb_exists in K. destruct K as [y [I E]]. apply Pos.eqb_eq in E. subst. auto.
  - eauto.
  3: { intros K. destruct (IHt K) as [a A]. exists (- a)%Z. rewrite A, opp_IZR. reflexivity. }
  all: destruct (is_whole ints t1); [|discriminate]; intros K; destruct (IHt1 eq_refl) as [a A], (IHt2 K) as [b B].
  4: { rewrite A, B. unfold Rmax. destruct (Rle_dec _ _); eauto. }
  1: exists (a + b)%Z. 2: exists (a - b)%Z. 3: exists (a * b)%Z.
  all: rewrite A, B, ?plus_IZR, ?minus_IZR, ?mult_IZR; reflexivity.
Qed.
Lemma image_out im x : ~ In x (map fst im) -> image im x = TZ 0.
Proof.
  induction im as [|[y t] im IH]; simpl; auto. intros H. destruct (Pos.eqb_spec x y); [subst; tauto|auto].
Qed.
(* The values are defined, in their domains, and satisfy the hypotheses: so the statement speaks of them. *)
Lemma instance_ok v ints im s : (forall x, In x ints -> exists z, v x = IZR z) -> fits ints im s = true ->
  all v (instance im s) -> let w := fun x => tden v (image im x) in
  (forall x, all v (needs (image im x))) /\ integral w s /\ all w (flat_map granted (given s)).
Proof.
  intros Z W H w. unfold instance in H. rewrite all_app, !all_flat in H. destruct H as [HV HH].
  unfold fits in W. destruct (slopes s); [|discriminate].
  destruct (forallb _ im) eqn:F; [|discriminate]. rewrite forallb_forall in F. split; [|split].
  - intros x. destruct (in_dec Pos.eq_dec x (map fst im)) as [I|I]; [|rewrite (image_out _ _ I); exact Logic.I].
    apply in_map_iff in I. destruct I as [y [<- I]]. specialize (F _ I). apply existsb_exists in F.
    destruct F as [n [N E]]. apply Pos.eqb_eq in E. subst n. apply in_map_iff in N. destruct N as [u [E N]].
    specialize (HV _ N). rewrite all_app, E in HV. tauto.
  - intros x d I. rewrite forallb_forall in W. apply (whole_ok v ints); auto. exact (W _ I).
  - apply all_flat. intros r R. apply granted_subst. unfold given in R. apply in_app_or in R. destruct R as [R|R].
    + apply in_flat_map in R. destruct R as [u [U R]]. specialize (HV _ U). rewrite all_app, all_flat in HV.
      apply HV, R.
    + apply HH, R.
Qed.
Lemma no_slopes v s : slopes s = [] ->
  (where_slopes v (slopes s) (fun w => all w (stated s)) <-> all v (needsf (concl s) ++ [concl s])).
Proof. unfold stated, defined. intros ->. simpl. tauto. Qed.
Lemma fits_none ints im s : fits ints im s = true -> slopes s = [].
Proof. unfold fits. destruct (slopes s); [auto|discriminate]. Qed.
Lemma use_ok v ints im s : (forall x, In x ints -> exists z, v x = IZR z) -> meaning s -> exists_one s = false ->
  fits ints im s = true -> all v (instance im s) -> all v (obligations (image im) (concl s)).
Proof.
  intros Z M E W H. destruct (instance_ok v ints im s Z W H) as [N [I A]].
  unfold meaning in M. rewrite E in M. pose proof (M _ I A) as C.
  rewrite (no_slopes _ s (fits_none _ _ _ W)), all_app in C. destruct C as [C1 C2].
  unfold obligations. rewrite all_app. split; [apply needsf_back; auto|].
  destruct C2. split; [apply fsem_subst; auto|exact Logic.I].
Qed.
Lemma number_ok v s : meaning s -> closed s = true -> fsem v (concl s).
Proof.
  unfold meaning, closed, given. destruct (exists_one s); [discriminate|].
  destruct (vars s) eqn:V, (hyps s), (slopes s) eqn:E; try discriminate. rewrite <- E. intros M _.
  assert (N : integral v s) by (intros x d F; rewrite V in F; destruct F). specialize (M v N I).
  rewrite (no_slopes v s E), all_app in M. apply M.
Qed.
Lemma witness_ok im s : exists_one s = true -> fits [] im s = true ->
  (forall v, all v (instance im s ++ obligations (image im) (concl s))) -> meaning s.
Proof.
  intros E W H. set (v := fun _ : positive => 0). specialize (H v). rewrite all_app in H. destruct H as [H C].
  destruct (instance_ok v [] im s (fun x F => match F with end) W H) as [N [I A]].
  unfold meaning. rewrite E. exists (fun x => tden v (image im x)). split; auto. split; auto.
  unfold obligations in C. rewrite all_app in C. destruct C as [C [D _]].
  rewrite (no_slopes _ s (fits_none _ _ _ W)), all_app.
  split; [apply needsf_subst; auto|]. split; [apply fsem_subst in D; exact D|exact Logic.I].
Qed.
