(* A statement as one writes it, `forall x y : R, x > 0 -> ... -> ...`: the definitions of this file compute it.
   A page states it in plain text, and Coq's conversion shows that both are the same. *)
From Coq Require Import Classical.
From Rgm Require Export Sound.

Definition variables := list (positive * (bool * list tform)).
Fixpoint for_all (l : variables) (v : env) (body : env -> Prop) : Prop :=
  match l with
  | [] => body v
  | (x, (false, _)) :: l' => forall r : R, for_all l' (put v x r) body
  | (x, (true, _)) :: l' => forall z : Z, for_all l' (put v x (IZR z)) body
  end.
Fixpoint for_some (l : variables) (v : env) (body : env -> Prop) : Prop :=
  match l with
  | [] => body v
  | (x, (false, _)) :: l' => exists r : R, for_some l' (put v x r) body
  | (x, (true, _)) :: l' => exists z : Z, for_some l' (put v x (IZR z)) body
  end.
Fixpoint given_all (v : env) (l : list tform) (P : Prop) : Prop :=
  match l with [] => P | f :: l' => fsem v f -> given_all v l' P end.
Fixpoint both (v : env) (l : list tform) : Prop :=
  match l with [] => True | [f] => fsem v f | f :: l' => fsem v f /\ both v l' end.

(* Conditions are not said twice, and of numbers not at all, such as 2 > 0. *)
Scheme Equality for tform.
Definition obvious (f : tform) : bool :=
  match f with
  | TRel Gt (TZ (Zpos _)) (TZ 0) | TRel Ge (TZ (Zpos _)) (TZ 0) | TRel Ne (TZ (Zpos _)) (TZ 0)
  | TRel Ge (TZ 0) (TZ 0) | TRel Gt TPi (TZ 0) | TRel Ge TPi (TZ 0)
  | TRel Gt (TF (Zpos _) _) (TZ 0) | TRel Ge (TF (Zpos _) _) (TZ 0) => true
  | _ => false
  end.
Definition known (l : list tform) (f : tform) : bool := if obvious f then true else existsb (tform_beq f) l.
Fixpoint fresh (l seen : list tform) : list tform :=
  match l with
  | [] => []
  | f :: l' => if known seen f then fresh l' seen else f :: fresh l' (f :: seen)
  end.
Definition premises_of (s : statement) : list tform := fresh (flat_map granted (given s)) [].
Definition conclusions_of (s : statement) : list tform :=
  fresh (defined s) (premises_of s) ++ [concl s].
Definition zero : env := fun _ => 0.
Definition reading (s : statement) : Prop :=
  if exists_one s then for_some (vars s) zero (fun v => both v (premises_of s ++ conclusions_of s))
  else for_all (vars s) zero (fun v => given_all v (premises_of s)
    (where_slopes v (slopes s) (fun w => both w (conclusions_of s)))).

(* The variables of trees: a statement has no others than its own, each once. *)
Fixpoint within (l : list positive) (t : tree) : bool :=
  match t with
  | TV x => existsb (Pos.eqb x) l
  | TZ _ | TF _ _ | TPi => true
  | TAdd a b | TSub a b | TMul a b | TMax a b | TPower _ a b => if within l a then within l b else false
  | TOpp a | TPow a _ | TRoot _ a _ | TExp a | TLog a | TErf a => within l a
  end.
Fixpoint withinf (l : list positive) (f : tform) : bool :=
  match f with
  | TRel _ a b => if within l a then within l b else false
  | TAnd f g | TOr f g | TImp f g | TIff f g => if withinf l f then withinf l g else false
  end.
Fixpoint once (l : list positive) : bool :=
  match l with [] => true | x :: l' => if existsb (Pos.eqb x) l' then false else once l' end.
Definition slope_within (l : list positive) (d : positive * derivation) : bool :=
  let '(d, (_, x, f, p)) := d in
  if existsb (Pos.eqb d) l then false else if within l p then within (x :: l) f else false.
Definition proper (s : statement) : bool :=
  let own := map fst (vars s) in
  if once own then if forallb (withinf own) (premises_of s) then
    if forallb (withinf (map fst (slopes s) ++ own)) (conclusions_of s) then
      if exists_one s then match slopes s with [] => true | _ => false end else forallb (slope_within own) (slopes s)
    else false else false else false.

Lemma memb x l : existsb (Pos.eqb x) l = true <-> In x l.
Proof.
  rewrite existsb_exists. split; [intros [y [I E]]; apply Pos.eqb_eq in E; subst; auto|].
  intros I. exists x. rewrite Pos.eqb_refl. auto.
Qed.
Lemma tden_within l v w t : (forall x, In x l -> v x = w x) -> within l t = true -> tden v t = tden w t.
Proof.
  intros A. induction t; cbn [within tden]; intros H; auto;
  try (rewrite IHt by auto; reflexivity);
  try (destruct (within l t1); [|discriminate]; rewrite IHt1, IHt2 by auto; reflexivity).
  apply A, memb, H.
Qed.
Lemma fsem_within l v w f : (forall x, In x l -> v x = w x) -> withinf l f = true -> fsem v f <-> fsem w f.
Proof.
  intros A. induction f; cbn [withinf fsem]; intros H.
  1: destruct (within l a) eqn:E; [|discriminate]; rewrite (tden_within l v w a), (tden_within l v w b); tauto.
  all: destruct (withinf l f1); [|discriminate]; rewrite IHf1, IHf2; tauto.
Qed.
Lemma obvious_ok v f : obvious f = true -> fsem v f.
Proof.
  assert (P : forall p, 0 < IZR (Zpos p)) by (intros; apply (IZR_lt 0); lia).
  assert (D : forall p q, 0 < IZR (Zpos p) / IZR (Zpos q)) by (intros; apply Rdiv_lt_0_compat; auto).
  pose proof PI_RGT_0.
  destruct f as [c a b| | | |]; try discriminate.
  destruct c, a as [|[]|[] q| | | | | | | | | | | |]; try discriminate;
  destruct b as [|[]| | | | | | | | | | | | |]; try discriminate; intros _; simpl;
  try match goal with |- context [IZR (Zpos ?p) / IZR (Zpos ?q)] => pose proof (D p q) end;
  try match goal with |- context [IZR (Zpos ?p)] => pose proof (P p) end; lra.
Qed.
Lemma all_fresh v l : forall seen, all v seen -> (all v (fresh l seen) <-> all v l).
Proof.
  induction l as [|f l IH]; intros seen S; cbn [fresh]; [tauto|].
  change (all v (f :: l)) with (fsem v f /\ all v l).
  destruct (known seen f) eqn:K.
  - rewrite IH by auto. enough (fsem v f) by tauto. unfold known in K.
    destruct (obvious f) eqn:O; [apply obvious_ok; auto|].
    apply existsb_exists in K. destruct K as [g [I E]]. apply internal_tform_dec_bl in E. subst g.
    rewrite all_in in S. auto.
  - change (all v (f :: fresh l (f :: seen))) with (fsem v f /\ all v (fresh l (f :: seen))).
    split; intros [F A]; split; auto; [apply (IH (f :: seen))|apply (IH (f :: seen))]; auto; split; auto.
Qed.
Lemma given_all_ok v l P : given_all v l P <-> (all v l -> P).
Proof. induction l as [|f l IH]; simpl; [tauto|]. rewrite IH. unfold all. simpl. tauto. Qed.
Lemma both_ok v l : both v l <-> all v l.
Proof.
  induction l as [|f l IH]; [simpl; tauto|]. destruct l as [|g l]; [simpl; tauto|].
  change (fsem v f /\ both v (g :: l) <-> fsem v f /\ all v (g :: l)). rewrite IH. tauto.
Qed.
Lemma conclusions_ok v s : all v (premises_of s) ->
  (all v (conclusions_of s) <-> all v (stated s)).
Proof. intros A. unfold conclusions_of, stated. rewrite !all_app, all_fresh by auto. tauto. Qed.

Definition integral_on (v : env) (l : variables) : Prop := forall x d, In (x, (true, d)) l -> exists z, v x = IZR z.
Lemma for_all_intro l : forall v (body : env -> Prop), once (map fst l) = true ->
  (forall w, integral_on w l -> (forall y, ~ In y (map fst l) -> w y = v y) -> body w) -> for_all l v body.
Proof.
  induction l as [|[x [b d]] l IH]; cbn [for_all once map fst]; intros v body N H.
  { apply H; [intros x d []|auto]. }
  destruct (existsb _ _) eqn:M; [discriminate|].
  assert (O : ~ In x (map fst l)) by (intros I; apply memb in I; congruence).
  assert (G : forall r, (b = true -> exists z, r = IZR z) -> for_all l (put v x r) body).
  { intros r B. apply IH; auto. intros w I A. apply H.
    - intros y e [E|J]; [|eauto]. injection E as -> -> _. rewrite (A y O). unfold put. rewrite Pos.eqb_refl. auto.
    - intros y J. rewrite A by (simpl in J; tauto). unfold put.
      destruct (Pos.eqb_spec y x); [subst; simpl in J; tauto|auto]. }
  destruct b; intros r; apply G; [eauto|discriminate].
Qed.
Lemma for_all_elim l v : forall u (body : env -> Prop), integral_on v l -> for_all l u body ->
  exists w, body w /\ forall y, In y (map fst l) \/ u y = v y -> w y = v y.
Proof.
  induction l as [|[x [b d]] l IH]; cbn [for_all map fst]; intros u body I H.
  { exists u. split; auto. intros y [[]|]; auto. }
  assert (I' : integral_on v l) by (intros y e J; apply (I y e); right; auto).
  assert (G : for_all l (put u x (v x)) body).
  { destruct b; [|apply H]. destruct (I x d (or_introl eq_refl)) as [z Z]. rewrite Z. apply H. }
  destruct (IH _ _ I' G) as [w [B W]]. exists w. split; auto. intros y J. apply W. unfold put.
  destruct (Pos.eqb_spec y x); [subst; auto|]. simpl in J. destruct J as [[J|J]|J]; auto; congruence.
Qed.
Lemma for_some_not l : forall v body, for_some l v body <-> ~ for_all l v (fun w => ~ body w).
Proof.
  induction l as [|[x [[] d]] l IH]; cbn [for_some for_all]; intros v body; [split; [auto|apply NNPP]| |].
  all: split; [intros [z H] A; apply IH in H; auto|].
  all: intros N; apply NNPP; intros M; apply N; intros z; apply NNPP; intros K; apply M; exists z; apply IH, K.
Qed.
Lemma for_some_intro l v u (body : env -> Prop) : integral_on v l ->
  (forall w, (forall y, In y (map fst l) \/ u y = v y -> w y = v y) -> body w) -> for_some l u body.
Proof. intros I H. apply for_some_not. intros A. destruct (for_all_elim l v u _ I A) as [w [N W]]. apply N, H, W. Qed.
Lemma for_some_elim l v (body : env -> Prop) : once (map fst l) = true -> for_some l v body ->
  exists w, integral_on w l /\ body w.
Proof.
  intros N H. apply NNPP. intros K. apply for_some_not in H. apply H, for_all_intro; auto. intros w I _ B. eauto.
Qed.

Definition agree (l : list positive) (v w : env) : Prop := forall x, In x l -> v x = w x.
Lemma all_within l v w k : agree l v w -> forallb (withinf l) k = true -> (all v k <-> all w k).
Proof.
  intros A W. rewrite forallb_forall in W. rewrite !all_in.
  split; intros H f I; apply (fsem_within l v w f A (W f I)), H, I.
Qed.
Lemma where_within own l (P Q : env -> Prop) : forall a v w, incl own a -> agree a v w ->
  forallb (slope_within own) l = true ->
  (forall v' w', agree (map fst l ++ a) v' w' -> agree own w w' -> P v' -> Q w') ->
  where_slopes v l P -> where_slopes w l Q.
Proof.
  induction l as [|[d [[[n x] f] p]] l IH]; cbn [where_slopes forallb map fst]; intros a v w I A W H.
  { apply H; auto. intros y Y. reflexivity. }
  apply andb_true_iff in W. destruct W as [W1 W2]. unfold slope_within in W1.
  destruct (existsb (Pos.eqb d) own) eqn:D; [discriminate|]. destruct (within own p) eqn:WP; [|discriminate].
  assert (N : forall y, In y own -> y <> d) by (intros y Y ->; apply memb in Y; congruence).
  rewrite (tden_within own v w p (fun y Y => A y (I y Y)) WP).
  assert (F : (fun r => tden (put v x r) f) = (fun r => tden (put w x r) f)).
  { apply FunctionalExtensionality.functional_extensionality. intros r. apply (tden_within (x :: own)); auto.
    intros y Y. unfold put. destruct (Pos.eqb_spec y x); auto. destruct Y as [Y|Y]; [congruence|auto]. }
  rewrite F. intros [E K]. split; [exact E|]. revert K. apply (IH (d :: a)); auto.
  - intros y Y. right. auto.
  - intros y Y. unfold put. destruct (Pos.eqb_spec y d); auto. apply A. destruct Y; [congruence|auto].
  - intros v' w' B O. apply H.
    + intros y Y. apply B. apply in_or_app. cbn [In]. destruct Y as [Y|Y]; auto. apply in_app_or in Y. tauto.
    + intros y Y. rewrite <- (O y Y). unfold put. destruct (Pos.eqb_spec y d); auto. destruct (N y Y e).
Qed.
Theorem reading_ok s : proper s = true -> (reading s <-> meaning s).
Proof.
  unfold proper. set (own := map fst (vars s)). destruct (once own) eqn:N; [|discriminate].
  destruct (forallb (withinf own) _) eqn:WP; [|discriminate].
  destruct (forallb (withinf (map fst (slopes s) ++ own)) _) eqn:WC; [|discriminate].
  pose proof (fun v w A => all_within own v w _ A WP) as EP.
  pose proof (fun v w A => all_within _ v w _ A WC) as EC.
  assert (PR : forall v, all v (premises_of s) <-> all v (flat_map granted (given s)))
    by (intros; apply all_fresh; exact Logic.I).
  assert (SL : forallb (slope_within own) (slopes s) = true -> forall v w, agree own v w ->
    all v (premises_of s) -> (where_slopes v (slopes s) (fun w => both w (conclusions_of s)) ->
      where_slopes w (slopes s) (fun w => all w (stated s))) /\
    (where_slopes v (slopes s) (fun w => all w (stated s)) ->
      where_slopes w (slopes s) (fun w => both w (conclusions_of s)))).
  { intros W v w A B. apply (EP v w A) in B.
    split; apply (where_within own _ _ _ own); auto using incl_refl; intros v' w' A' O K; apply (EP w w' O) in B.
    - apply conclusions_ok; auto. apply both_ok in K. apply (EC v' w' A'), K.
    - apply both_ok, (EC v' w' A'). apply conclusions_ok; auto. apply (EP v' w'); auto.
      intros y Y. apply A', in_or_app. auto. }
  unfold reading, meaning. destruct (exists_one s).
  - destruct (slopes s) eqn:E; [|discriminate]. intros _. cbn [where_slopes map app] in *. split; intros H.
    + apply for_some_elim in H; auto. destruct H as [w [I B]]. exists w. rewrite both_ok, all_app in B.
      destruct B as [B C]. split; [exact I|]. split; [apply PR, B|]. apply conclusions_ok; auto.
    + destruct H as [v [I [B C]]].  apply PR in B. apply (for_some_intro _ v); auto.
      intros w A. assert (A' : agree own v w) by (intros y Y; symmetry; apply A; auto).
      rewrite both_ok, all_app. split; [apply (EP v w A'), B|]. apply (EC v w A'), conclusions_ok; auto.
  - intros W. split; intros H.
    + intros v I B.  destruct (for_all_elim _ v _ _ I H) as [w [G A]]. apply PR in B.
      assert (A' : agree own w v) by (intros y Y; apply A; auto).
      apply (SL W w v A'); apply (EP w v A') in B; auto. apply given_all_ok in G; auto.
    + apply for_all_intro; auto. intros w I _. rewrite given_all_ok. intros B. apply (SL W w w); auto.
      { intros y Y. reflexivity. } apply H; [exact I|apply PR, B].
Qed.

Definition accepts (c : certificate) : bool :=
  if check_document (needed c) (atoms c) (claimed c) (witness c) (formulas c) (steps c) then
    if proper (claimed c) then forallb proper (needed c) else false
  else false.
Fixpoint all_readings (l : list statement) (P : Prop) : Prop :=
  match l with [] => P | s :: l' => reading s -> all_readings l' P end.
(* An accepted certificate: if its premises hold, each in its own words, then so does its statement. *)
Theorem by_kernel c : accepts c = true -> all_readings (needed c) (reading (claimed c)).
Proof.
  unfold accepts. destruct (check_document _ _ _ _ _ _) eqn:K; [|discriminate].
  destruct (proper (claimed c)) eqn:P; [|discriminate]. intros PN. rewrite forallb_forall in PN.
  pose proof (sound _ _ _ _ _ _ K) as S. clear K. rewrite <- (reading_ok _ P) in S. revert S.
  generalize (reading (claimed c)) as R0. intros R0.
  assert (G : forall l, (forall q, In q l -> proper q = true) -> ((forall q, In q l -> meaning q) -> R0) ->
    all_readings l R0).
  { induction l as [|q l IH]; simpl; intros A S; [apply S; intros q []|]. intros Q. apply IH; auto.
    intros M. apply S. intros p [<-|I]; auto. apply reading_ok; auto. }
  apply G, PN.
Qed.
Ltac by_computing := vm_cast_no_check (eq_refl true).
