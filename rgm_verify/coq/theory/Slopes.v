(* Slopes of trees, and where a tree is smooth, as the kernel has them; Calculus.v proves it. *)
From Rgm Require Export Syntax.

Fixpoint free (x : positive) (t : tree) : bool :=
  match t with
  | TV y => Pos.eqb y x
  | TZ _ | TF _ _ | TPi => false
  | TAdd a b | TSub a b | TMul a b | TMax a b | TPower _ a b => if free x a then true else free x b
  | TOpp a | TPow a _ | TRoot _ a _ | TExp a | TLog a | TErf a => free x a
  end.
(* A maximum has corners. *)
Fixpoint smoothable (x : positive) (t : tree) : bool :=
  if free x t then
    match t with
    | TMax _ _ => false
    | TAdd a b | TSub a b | TMul a b | TPower _ a b => if smoothable x a then smoothable x b else false
    | TOpp a | TPow a _ | TRoot _ a _ | TExp a | TLog a | TErf a => smoothable x a
    | _ => true
    end
  else true.
Fixpoint smooth (x : positive) (t : tree) : list tform :=
  if free x t then
    match t with
    | TAdd a b | TSub a b | TMul a b => smooth x a ++ smooth x b
    | TOpp a | TExp a | TErf a => smooth x a
    | TPow a e => smooth x a ++ match e with Zneg _ => [TRel Ne a (TZ 0)] | _ => [] end
    | TRoot _ a _ | TLog a => smooth x a ++ [TRel Gt a (TZ 0)]
    | TPower _ a b => smooth x a ++ smooth x b ++ [TRel Gt a (TZ 0)]
    | _ => []
    end
  else [].
Fixpoint slope (x : positive) (t : tree) : tree :=
  if free x t then
    match t with
    | TV _ => TZ 1
    | TAdd a b => TAdd (slope x a) (slope x b)
    | TSub a b => TSub (slope x a) (slope x b)
    | TOpp a => TOpp (slope x a)
    | TMul a b =>
      if free x a then if free x b then TAdd (TMul (slope x a) b) (TMul a (slope x b)) else TMul (slope x a) b
      else TMul a (slope x b)
    | TPow a e => TMul (TMul (TZ e) (TPow a (e - 1))) (slope x a)
    | TRoot q a e => TMul (TMul (TF e q) (TRoot q a (e - Zpos q))) (slope x a)
    | TExp a => TMul t (slope x a)
    | TLog a => TMul (TPow a (-1)) (slope x a)
    | TErf a => TMul (TMul (TMul (TZ 2) (TRoot 2 TPi (-1))) (TExp (TOpp (TPow a 2)))) (slope x a)
    | TPower _ a b => TMul t (TAdd (TMul (slope x b) (TLog a)) (TMul (TMul b (slope x a)) (TPow a (-1))))
    | _ => TZ 0
    end
  else TZ 0.
(* The n-th slope, and what makes the slopes before it smooth. *)
Fixpoint slope_n (n : nat) (x : positive) (t : tree) : tree :=
  match n with O => t | S n => slope x (slope_n n x t) end.
Fixpoint smoothable_n (n : nat) (x : positive) (t : tree) : bool :=
  match n with O => true | S n => if smoothable x (slope_n n x t) then smoothable_n n x t else false end.
Fixpoint smooth_n (n : nat) (x : positive) (t : tree) : list tform :=
  match n with O => [] | S n => smooth x (slope_n n x t) ++ smooth_n n x t end.
Definition all_smoothable : list (positive * derivation) -> bool :=
  forallb (fun '(_, (n, x, f, _)) => smoothable_n n x f).
(* Formulas with the slopes in place of derivatives, and what makes these right. *)
Fixpoint resolve (l : list (positive * derivation)) (fs : list tform) : list tform :=
  match l with
  | [] => fs
  | (d, (n, x, f, p)) :: l' => map (substf (at_ x p)) (smooth_n n x f) ++
    map (substf (at_ d (subst (at_ x p) (slope_n n x f)))) (resolve l' fs)
  end.
