(* What the checker accepts is true. *)
From Rgm Require Export Calculus.

(* Values of the atoms. *)
Definition upd (rho : positive -> R) (i : positive) (x : R) := fun j => if Pos.eqb i j then x else rho j.
Fixpoint build (v : positive -> R) (rho : positive -> R) (t : table) : positive -> R :=
  match t with [] => rho | (i, d) :: t' => build v (upd rho i (aval rho v d)) t' end.
Lemma pev_ext r s p : (forall a, In a (atoms_of p) -> r a = s a) -> pev r p = pev s p.
Proof.
  induction p as [|[m c] p IH]; cbn [pev atoms_of]; intros H; auto. rewrite IH by (intros; apply H, in_or_app; auto).
  f_equal. f_equal. assert (K : forall a, In a (map fst m) -> r a = s a) by (intros; apply H, in_or_app; auto).
  clear H IH.
  induction m as [|[a e] m IH]; simpl; auto. rewrite IH, (K a); auto; [left; auto|intros; apply K; right; auto].
Qed.
Lemma aval_ext r s v d : (forall a, In a (refs d) -> r a = s a) -> aval r v d = aval s v d.
Proof.
  destruct d; simpl; intros H; auto; f_equal; auto using pev_ext; apply pev_ext; intros; apply H; auto;
    apply in_or_app; auto.
Qed.
Lemma mem_in a l : mem a l = true <-> In a l.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros [x [I E]]; apply Pos.eqb_eq in E; subst; auto|].
  intros; exists a; rewrite Pos.eqb_refl; auto.
Qed.
Lemma build_old v t : forall seen rho a, wf seen t = true -> In a seen -> build v rho t a = rho a.
Proof.
  induction t as [|[i d] t IH]; cbn [wf build]; intros seen rho a H I; auto.
  destruct (mem i seen) eqn:M; [discriminate|]. destruct (forallb _ _); [|discriminate].
  rewrite (IH (i :: seen)); auto; [|right; auto]. unfold upd. destruct (Pos.eqb_spec i a); auto.
  subst. apply mem_in in I. congruence.
Qed.
Lemma build_ok v t : forall seen rho, wf seen t = true ->
  Forall (fun '(i, d) => build v rho t i = aval (build v rho t) v d) t.
Proof.
  induction t as [|[i d] t IH]; cbn [wf build]; intros seen rho H; constructor;
  destruct (mem i seen) eqn:M; try discriminate; destruct (forallb _ _) eqn:F; try discriminate; [|exact (IH _ _ H)].
  rewrite (build_old v t (i :: seen)) by (auto; left; auto). unfold upd at 1. rewrite Pos.eqb_refl.
  apply aval_ext. intros a I. rewrite forallb_forall in F. apply F, mem_in in I.
  rewrite (build_old v t (i :: seen)) by (auto; right; auto). unfold upd. destruct (Pos.eqb_spec i a); auto.
  subst. apply mem_in in I. congruence.
Qed.

(* A point between: what mentions no atom of it keeps its value when it gets one. *)
Lemma depending_ok v w u (F : forall y, y <> w -> u y = v y) t : forall found rho r,
  Forall (fun '(i, d) => rho i = aval rho v d) t -> (forall a, ~ In a found -> r a = rho a) ->
  forall a, ~ In a (depending w t found) -> build u r t a = rho a.
Proof.
  induction t as [|[i d] t IH]; cbn [depending build]; intros found rho r G E a N; auto.
  inversion_clear G as [|? ? D G'].
  set (hit := match d with DVar y => Pos.eqb y w | _ => existsb (fun a => mem a found) (refs d) end) in *.
  apply (IH (if hit then i :: found else found)); auto. intros b B. unfold upd. destruct (Pos.eqb_spec i b) as [<-|X].
  - destruct hit eqn:H; [destruct B; left; auto|]. rewrite D. unfold hit in H. clear hit.
    assert (K : forall c, In c (refs d) -> r c = rho c).
    { intros c C. apply E. intros M. assert (existsb (fun a => mem a found) (refs d) = true) as Q.
      { apply existsb_exists. exists c. split; auto. apply mem_in, M. }
      destruct d; try (rewrite Q in H; discriminate). destruct C. }
    rewrite (aval_ext r rho u d K). destruct d; auto. simpl. apply F. apply Pos.eqb_neq, H.
  - destruct hit; apply E; [intros M; apply B; right; auto|auto].
Qed.
Lemma without_ok l rho r f : (forall a, ~ In a l -> r a = rho a) -> without l f = true ->
  (FactsSound.fden r f <-> FactsSound.fden rho f).
Proof.
  intros E. induction f as [o p|f IHf g IHg|f IHf g IHg| |]; cbn [without FactsSound.fden]; intros H; try tauto.
  - rewrite (pev_ext r rho p); [tauto|]. intros a A. apply E. intros M. rewrite forallb_forall in H.
    specialize (H a A). apply mem_in in M. rewrite M in H. discriminate.
  - destruct (without l f); [|discriminate]. rewrite IHf, IHg; tauto.
  - destruct (without l f); [|discriminate]. rewrite IHf, IHg; tauto.
Qed.

Definition alt_holds (rho : positive -> R) (a : option form) : Prop :=
  match a with Some f => FactsSound.fden rho f | None => True end.
Lemma choose_ok rho f n : FactsSound.fden rho (choose f n) -> FactsSound.fden rho f.
Proof. revert f; induction n as [|n IH]; intros []; simpl; auto. Qed.
Lemma open_ok rho fs l : Facts rho fs -> FactsSound.fden rho (open fs l) -> Forall (FactsSound.fden rho) l.
Proof.
  intros L U. apply Forall_forall. intros f I. destruct (evident fs f) eqn:E; [exact (evident_ok rho _ _ L E)|].
  unfold open in U. apply (conj_ok rho) in U. rewrite Forall_forall in U. apply U, filter_In. rewrite E. auto.
Qed.

Section Proofs.
Variable tbl : table.
Hypothesis proper_table : wf [] tbl = true.
Variable ints : list positive.
Variable prem : list statement.
Hypothesis true_premises : forall s, In s prem -> meaning s.
Definition values (rho : positive -> R) (v : env) : Prop :=
  Forall (fun '(i, d) => rho i = aval rho v d) tbl /\ forall x, In x ints -> exists z, v x = IZR z.

Lemma check_ok p : forall rho v, values rho v -> forall alt l g, check tbl ints prem alt l g p = true ->
  Facts rho l -> alt_holds rho alt -> FactsSound.fden rho g.
Proof.
  assert (A : forall rho l f, Facts rho l -> FactsSound.fden rho f -> Facts rho (assume l f))
    by (intros; apply assume_ok; auto).
  induction p; intros rho v VAL alt fs g H L W; destruct alt as [al|]; cbn [check] in H;
    pose proof VAL as [good integers].
  all: try (destruct al; discriminate).
  - (* PUse *)
    destruct (nth_error prem k) as [s|] eqn:S; [|discriminate]. destruct (exists_one s) eqn:X; [discriminate|].
    destruct (fits ints im s) eqn:W2; [|discriminate].
    destruct (tfs tbl (instance im s)) as [li|] eqn:TI; [|discriminate].
    destruct (tfs tbl (obligations (image im) (concl s))) as [c|] eqn:TC; [|discriminate].
    destruct (check tbl ints prem None fs (open fs li) p1) eqn:E; [|discriminate].
    assert (U : FactsSound.fden rho (open fs li)) by (apply (IHp1 rho v VAL _ _ _ E); simpl; auto).
    apply (open_ok rho _ _ L) in U. apply (tfs_ok tbl rho v good _ _ TI) in U. apply nth_error_In in S.
    pose proof (use_ok v ints im s integers (true_premises _ S) X W2 U) as C.
    apply (tfs_ok tbl rho v good _ _ TC) in C.
    apply (IHp2 rho v VAL _ _ _ H); simpl; auto. apply assumes_ok; auto.
  - (* PNumber *)
    destruct (nth_error prem k) as [s|] eqn:S; [|discriminate]. destruct (closed s) eqn:X; [|discriminate].
    destruct (tf tbl (concl s)) as [f|] eqn:TC; [|discriminate]. apply nth_error_In in S.
    apply (IHp rho v VAL _ _ _ H); simpl; auto. apply A; auto. apply (tf_ok tbl rho v good _ _ TC), number_ok; auto.
  - (* PMean *)
    destruct (mean_value tbl f x low high _ w) as [[[[apart [below above]] conditions] equation]|] eqn:M;
      [|discriminate].
    set (old := depending w tbl []) in *.
    destruct (existsb (Pos.eqb w) ints) eqn:NI; [discriminate|].
    destruct (holdsf fs i GT apart) eqn:AP; [|discriminate].
    destruct (without old g) eqn:OG; [|discriminate]. destruct (forallb (without old) fs) eqn:OF; [|discriminate].
    destruct (check tbl ints prem None (FRel GE above :: FRel GE below :: fs) _ p1) eqn:E; [|discriminate].
    apply (holdsf_ok rho _ _ _ _ L) in AP.
    (* The point gets a value c, and the old facts stay. *)
    assert (NEW : forall c, exists r, values r (put v w c) /\ forall f, without old f = true ->
      (FactsSound.fden r f <-> FactsSound.fden rho f)).
    { intros c. exists (build (put v w c) rho tbl). split; [split|].
      - apply (build_ok (put v w c) tbl [] rho proper_table).
      - intros y Y. destruct (integers y Y) as [z Z]. exists z. rewrite <- Z. unfold put.
        destruct (Pos.eqb_spec y w) as [->|]; auto. exfalso.
        assert (existsb (Pos.eqb w) ints = true) by (apply existsb_exists; exists w; rewrite Pos.eqb_refl; auto).
        congruence.
      - intros h Hh. apply (without_ok old); auto. intros a Na. apply (depending_ok v w) with (found := []); auto.
        intros y Y. unfold put. destruct (Pos.eqb_spec y w); congruence. }
    assert (OLD : forall r, (forall f, without old f = true -> (FactsSound.fden r f <-> FactsSound.fden rho f)) ->
      Facts r fs).
    { intros r K. apply Forall_forall. intros h I. apply K; [rewrite forallb_forall in OF; auto|].
      exact (proj1 (Forall_forall _ _) L h I). }
    destruct (mean_value_ok tbl f x low high _ w apart below above conditions equation rho v M good AP) as [c MV].
    { intros c. destruct (NEW c) as [r [V K]]. exists r. split; [apply V|]. intros HA HB.
      assert (FN : Facts r (FRel GE above :: FRel GE below :: fs)).
      { constructor; [exact HA|constructor; [exact HB|exact (OLD r K)]]. }
      apply (open_ok r _ _ FN), (IHp1 r _ V _ _ _ E); [exact FN|exact Logic.I]. }
    destruct (NEW c) as [r [V K]]. destruct (MV r (proj1 V)) as [HA [HB HE]]. apply (K g OG).
    apply (IHp2 r _ V _ _ _ H); [|exact Logic.I]. constructor; [exact HA|constructor; [exact HB|constructor;
      [exact HE|exact (OLD r K)]]].
  - (* PEqual *)
    destruct (diff tbl l r) as [d|] eqn:D; [|discriminate].
    destruct (diff tbl (subst _ f) _) as [e|] eqn:D2; [|discriminate].
    destruct (holdsf fs i EQ d) eqn:HF; [|discriminate]. apply (holdsf_ok rho _ _ _ _ L) in HF. cbn [says] in HF.
    apply (diff_ok tbl rho v good) in D, D2.
    apply (IHp rho v VAL _ _ _ H); simpl; auto. constructor; auto. cbn [FactsSound.fden says].
    rewrite D2, !tden_subst.
    rewrite (tden_ext (fun y => tden v (at_ x l y)) (fun y => tden v (at_ x r y))); [ring|].
    intros y. unfold at_. destruct (Pos.eqb x y); auto. lra.
  - (* PEnd *)
    destruct (fact fs i) as [f|] eqn:F; [|discriminate]. apply (fact_ok rho) in F; auto.
    destruct (absurd f) eqn:E; [destruct (absurd_ok rho _ E F)|]. exact (implies_ok rho _ _ H F).
  - (* PEnd2 *)
    destruct (fact fs i) as [f|] eqn:F; [|discriminate]. apply (fact_ok rho) in F; auto.
    destruct (absurd f) eqn:E; [destruct (absurd_ok rho _ E F)|]. unfold is_contradiction in H.
    destruct (fact fs j) as [f2|] eqn:F2; [|discriminate]. apply (fact_ok rho) in F2; auto.
    pose proof (implies_ok rho _ _ H F). destruct (neg_ok rho f2); tauto.
  - (* PDone, of alternatives and of goals *)
    destruct al; try discriminate. destruct W.
  - destruct g; try discriminate. exact I.
  - (* PCases *)
    destruct (fact fs i) as [f|] eqn:F; [|discriminate]. apply (fact_ok rho) in F; auto.
    exact (IHp rho v VAL _ _ _ H L F).
  - (* PCase *)
    destruct al as [|?|a b| |]; try discriminate. destruct (check tbl ints prem None _ g p1) eqn:E; [|discriminate].
    destruct W as [W|W]; [apply (IHp1 rho v VAL _ _ _ E); simpl; auto|apply (IHp2 rho v VAL _ _ _ H); auto].
  - discriminate.
  - (* PEach *)
    destruct g as [|a b| | |]; try discriminate. destruct (check tbl ints prem None fs a p1) eqn:E; [|discriminate].
    assert (U : FactsSound.fden rho a) by (apply (IHp1 rho v VAL _ _ _ E); simpl; auto). split; auto.
    apply (IHp2 rho v VAL _ _ _ H); simpl; auto.
  - (* PSuppose *)
    destruct (neg_ok rho g) as [[U _]|[_ U]]; auto. destruct (IHp rho v VAL _ _ _ H); simpl; auto.
  - (* PChoose *)
    apply (choose_ok rho _ n). apply (IHp rho v VAL _ _ _ H); simpl; auto.
  - (* PClearGoal *)
    destruct (cleared tbl fs g q i) as [f|] eqn:C; [|discriminate].
    apply (cleared_ok tbl rho v good _ _ _ _ _ L) in C. apply C. apply (IHp rho v VAL _ _ _ H); simpl; auto.
  - (* PSum *)
    destruct (summed tbl fs l k) as [f|] eqn:C; [|discriminate]. apply (summed_ok tbl rho v good _ _ _ _ L) in C.
    apply (IHp rho v VAL _ _ _ H); simpl; auto.
  - (* PClear *)
    destruct (fact fs j) as [f|] eqn:F; [|discriminate]. apply (fact_ok rho) in F; auto.
    destruct (cleared tbl fs f q i) as [f2|] eqn:C; [|discriminate].
    apply (cleared_ok tbl rho v good _ _ _ _ _ L) in C.
    apply (IHp rho v VAL _ _ _ H); simpl; auto. apply A; auto. apply C; auto.
  - (* PHave *)
    destruct (check tbl ints prem None fs _ p1) eqn:E; [|discriminate].
    assert (U : FactsSound.fden rho (FRel o q)) by (apply (IHp1 rho v VAL _ _ _ E); simpl; auto).
    apply (IHp2 rho v VAL _ _ _ H); simpl; auto. constructor; auto.
  - (* PRule *)
    destruct (apply tbl fs r) as [f|] eqn:E; [|discriminate]. apply (apply_ok tbl rho v good _ _ _ L) in E.
    apply (IHp rho v VAL _ _ _ H); simpl; auto.
Qed.
End Proofs.

Theorem sound prem t s w g p :
  check_document prem t s w g p = true -> (forall q, In q prem -> meaning q) -> meaning s.
Proof.
  unfold check_document. destruct (wf [] t) eqn:W; [|discriminate]. destruct (exists_one s) eqn:X.
  - destruct (tfs t _) as [l|] eqn:L; [|discriminate]. destruct (fits [] w s) eqn:F; [|discriminate].
    intros H PR. apply (witness_ok w s X F). intros v. set (rho := build v (fun _ => 0) t).
    assert (good : Forall (fun '(i, d) => rho i = aval rho v d) t) by apply (build_ok v t [] _ W).
    apply (tfs_ok t rho v good _ _ L). apply (open_ok rho []); [constructor|].
    apply (check_ok t W [] prem PR _ rho v (Logic.conj good (fun x (F : In x []) => match F with end))) in H;
      simpl; auto. constructor.
  - destruct (match g with Some g => g | None => _ end) as [needed last] eqn:G.
    destruct (tfs t (flat_map granted (given s))) as [l|] eqn:L; [|discriminate].
    destruct (tfs t needed) as [n|] eqn:N; [|discriminate]. destruct (tf t last) as [c|] eqn:C; [|discriminate].
    destruct (check t _ _ _ _ _ p) eqn:H; [|discriminate]. intros E PR. unfold meaning. rewrite X. intros v IN GR.
    set (rho := build v (fun _ => 0) t).
    assert (good : Forall (fun '(i, d) => rho i = aval rho v d) t) by apply (build_ok v t [] _ W).
    pose proof (proj2 (tfs_ok t rho v good _ _ L) GR) as FL.
    assert (F : Facts rho (assumes l [])) by (apply assumes_ok; auto; constructor).
    assert (Z : forall x, In x (integers s) -> exists z, v x = IZR z).
    { intros x I. apply in_flat_map in I. destruct I as [[y [[] dom]] [Y I]]; [|destruct I].
      destruct I as [<-|[]]. exact (IN _ _ Y). }
    apply (check_ok t W (integers s) prem PR _ rho v (Logic.conj good Z)) in H; simpl; auto.
    apply (conj_ok rho) in H. apply Forall_app in H. destruct H as [H1 H2].
    assert (FN : Forall (fden rho) n).
    { apply Forall_forall. intros f I. destruct (evident (assumes l []) f) eqn:EV; [exact (evident_ok rho _ _ F EV)|].
      rewrite Forall_forall in H1. apply H1, filter_In. rewrite EV. auto. }
    destruct g as [[needed' last']|].
    + unfold follows in E. destruct (all_smoothable (slopes s)) eqn:S; [|discriminate].
      destruct (tfs t (resolve _ _)) as [r|] eqn:R; [|discriminate]. destruct (feqb c _); [|discriminate].
      apply resolve_ok; auto.
      apply (tfs_ok t rho v good _ _ R), Forall_forall. intros f I. rewrite forallb_forall in E.
      apply (evident_ok rho (assumes (n ++ [c]) (assumes l []))); auto. apply assumes_ok; auto.
      apply Forall_app. auto.
    + destruct (slopes s) eqn:SL; [|discriminate]. rewrite <- SL. apply (no_slopes v s SL), all_app.
      injection G as <- <-. split; [apply (tfs_ok t rho v good _ _ N), FN|]. simpl. split; auto.
      apply (tf_ok t rho v good _ _ C). inversion H2; auto.
Qed.
