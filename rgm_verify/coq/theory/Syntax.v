(* Statements and proofs as data: no real number occurs here. *)
Require Export ZArith QArith List Bool.
Export ListNotations.
Open Scope positive_scope.

(* Variables have numbers. TZ z and TF p q are the numbers z and p/q; TPow has an integer exponent e, TRoot q a e is the
   q-th root of a to the power e. TPower has a tree for its exponent; its flag says that this is an integer by form. *)
Inductive tree :=
| TV (x : positive) | TZ (z : Z) | TF (p : Z) (q : positive) | TPi
| TAdd (a b : tree) | TSub (a b : tree) | TOpp (a : tree) | TMul (a b : tree)
| TPow (a : tree) (e : Z) | TRoot (q : positive) (a : tree) (e : Z)
| TExp (a : tree) | TLog (a : tree) | TMax (a b : tree) | TPower (whole : bool) (a b : tree)
| TErf (a : tree).

Inductive cmp := Le | Lt | Ge | Gt | Eq | Ne.
Inductive tform :=
| TRel (c : cmp) (a b : tree) | TAnd (f g : tform) | TOr (f g : tform) | TImp (f g : tform) | TIff (f g : tform).

(* The n-th derivative in x of a tree, at a point. *)
Definition derivation : Type := nat * positive * tree * tree.
(* A variable has a number, a flag that says that it is an integer, and relations that bound it.
   The conclusion may speak of derivatives, each by a number of its own. *)
Record statement := {
  exists_one : bool;
  vars : list (positive * (bool * list tform));
  hyps : list tform;
  slopes : list (positive * derivation);
  concl : tform
}.

(* Trees with trees for their variables. *)
Fixpoint subst (im : positive -> tree) (t : tree) : tree :=
  match t with
  | TV x => im x | TZ _ | TF _ _ | TPi => t
  | TAdd a b => TAdd (subst im a) (subst im b) | TSub a b => TSub (subst im a) (subst im b)
  | TOpp a => TOpp (subst im a) | TMul a b => TMul (subst im a) (subst im b)
  | TPow a e => TPow (subst im a) e | TRoot q a e => TRoot q (subst im a) e
  | TExp a => TExp (subst im a) | TLog a => TLog (subst im a) | TErf a => TErf (subst im a)
  | TMax a b => TMax (subst im a) (subst im b) | TPower w a b => TPower w (subst im a) (subst im b)
  end.
Fixpoint substf (im : positive -> tree) (f : tform) : tform :=
  match f with
  | TRel c a b => TRel c (subst im a) (subst im b)
  | TAnd f g => TAnd (substf im f) (substf im g) | TOr f g => TOr (substf im f) (substf im g)
  | TImp f g => TImp (substf im f) (substf im g) | TIff f g => TIff (substf im f) (substf im g)
  end.
Definition at_ (x : positive) (t : tree) (y : positive) : tree := if Pos.eqb x y then t else TV y.

(* What makes the outermost function of a tree a real number, and all functions of a tree or a formula. *)
Definition asks (t : tree) : list tform :=
  match t with
  | TPow a (Zneg _) => [TRel Ne a (TZ 0)]
  | TRoot _ a (Zneg _) => [TRel Gt a (TZ 0)]
  | TRoot _ a _ => [TRel Ge a (TZ 0)]
  | TLog a => [TRel Gt a (TZ 0)]
  | TPower true a (TZ (Zneg _)) => [TRel Ne a (TZ 0)]
  | TPower true a (TZ _) => []
  | TPower true a b => [TOr (TRel Ge b (TZ 0)) (TRel Ne a (TZ 0))]
  | TPower false a b => [TOr (TRel Gt a (TZ 0)) (TAnd (TRel Ge a (TZ 0)) (TRel Gt b (TZ 0)))]
  | _ => []
  end.
Fixpoint needs (t : tree) : list tform :=
  match t with
  | TV _ | TZ _ | TF _ _ | TPi => []
  | TAdd a b | TSub a b | TMul a b | TMax a b => needs a ++ needs b
  | TOpp a => needs a
  | TPow a _ | TRoot _ a _ | TExp a | TLog a | TErf a => needs a ++ asks t
  | TPower _ a b => needs a ++ needs b ++ asks t
  end.
Fixpoint needsf (f : tform) : list tform :=
  match f with
  | TRel _ a b => needs a ++ needs b
  | TAnd f g | TOr f g | TImp f g | TIff f g => needsf f ++ needsf g
  end.
(* What a hypothesis assumes: a relation speaks of points where its sides are defined. *)
Fixpoint granted (f : tform) : list tform :=
  match f with
  | TRel _ a b => needs a ++ needs b ++ [f]
  | TAnd f g => granted f ++ granted g
  | _ => [f]
  end.
Definition given (s : statement) : list tform := flat_map (fun x => snd (snd x)) (vars s) ++ hyps s.
(* What a statement says where its hypotheses hold: what it speaks of is defined, and its conclusion. *)
Definition defined (s : statement) : list tform :=
  flat_map (fun '(_, (_, x, f, p)) => needs (subst (at_ x p) f)) (slopes s) ++ needsf (concl s).
Definition stated (s : statement) : list tform := defined s ++ [concl s].

(* Polynomials over numbered atoms, and what the atoms are. *)
Definition mono := list (positive * Z).
Definition poly := list (mono * Q).
(* As certificates write them: a power before the rest of a monomial, a term with the coefficient n/d before others. *)
Definition X (a : positive) (e : Z) (m : mono) : mono := (a, e) :: m.
Definition T (n : Z) (d : positive) (m : mono) (p : poly) : poly := (m, n # d) :: p.
Inductive adef := DVar (x : positive) | DPi | DInv (p : poly) | DRoot (q : positive) (p : poly)
  | DExp (p : poly) | DLog (p : poly) | DMax (p q : poly) | DPower (p q : poly) | DErf (p : poly).
Definition table := list (positive * adef).

(* A relation of a polynomial with 0. *)
Inductive op := GE | GT | EQ | NE.

(* Rules and proofs; facts are numbered from 0, and None stands for what arithmetic alone decides. *)
Inductive rule :=
| RSign (p : poly) | RInv (p : poly) (i : option nat) | RRoot (n : positive) (p : poly) (i : option nat)
| RExp (p : poly) | RLog (p : poly) (i : option nat) | RLogExp (p : poly)
| RLogProduct (l : list (Z * poly * option nat)) (i : option nat)
| RPow (x y : poly) (i : option nat) | RMax (p q : poly).
Inductive proof :=
| PUse (k : nat) (im : list (positive * tree)) (p1 p2 : proof)
| PNumber (k : nat) (p : proof)
(* The mean value theorem for f in x from low to high, which fact i says are apart; w is the point between. *)
| PMean (f : tree) (x : positive) (low high : tree) (i : option nat) (w : positive) (p1 p2 : proof)
| PEqual (f : tree) (x : positive) (l r : tree) (i : option nat) (p : proof)
| PEnd (i : nat) | PEnd2 (i j : nat) | PDone
| PCases (i : nat) (l : proof) | PCase (p l : proof)
| PEach (p q : proof) | PSuppose (p : proof) | PChoose (n : nat) (p : proof)
| PClearGoal (q : poly) (i : option nat) (p : proof)
| PSum (l : list (Q * list nat * list poly)) (k : list (nat * poly)) (p : proof)
| PClear (j : nat) (q : poly) (i : option nat) (p : proof)
| PHave (o : op) (q : poly) (p1 p2 : proof)
| PRule (r : rule) (p : proof).

(* What a file of certificates holds: the statements that a proof uses, its atoms, what it proves; for a statement that
   something exists also the values that are there, and for one with derivatives what is proved of their formulas. *)
Record certificate := {
  needed : list statement;
  atoms : table;
  claimed : statement;
  witness : list (positive * tree);
  formulas : option (list tform * tform);
  steps : proof
}.
