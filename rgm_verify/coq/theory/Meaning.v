(* What a statement means: the only file, beside Coq itself, that has to be believed of a certificate's statement.
   A readable theorem (Reading.v) does without it, as Coq compares the two. *)
Require Export Reals Qreals Lra Lia.
From Coquelicot Require Export Derive RInt.
From Rgm Require Export Syntax.
Open Scope R_scope.

Definition root (q : positive) (x : R) : R :=
  match q with 2%positive => sqrt x | _ => if Rlt_dec 0 x then Rpower x (/ IZR (Zpos q)) else 0 end.
(* For a base that is not positive only integer exponents have a power; 0 to a positive power is 0, 0^0 is 1. *)
Definition power (x y : R) : R :=
  if Rlt_dec 0 x then Rpower x y else if Req_EM_T y (IZR (Int_part y)) then powerRZ x (Int_part y) else 0.
Definition zpow (x : R) (e : Z) : R :=
  match e with Z0 => 1 | Zpos n => x ^ Pos.to_nat n | Zneg n => / x ^ Pos.to_nat n end.
(* The same, written as one would: x for x^1. *)
Definition shown (x : R) (e : Z) : R := match e with 1%Z => x | (-1)%Z => / x | _ => zpow x e end.

Definition erf (x : R) : R := 2 / sqrt PI * RInt (V := Hierarchy.R_CompleteNormedModule) (fun t => exp (- t ^ 2)) 0 x.
(* Values of the variables. *)
Definition env := positive -> R.
Fixpoint tden (v : env) (t : tree) : R :=
  match t with
  | TV x => v x
  | TZ z => IZR z
  | TF p q => IZR p / IZR (Zpos q)
  | TPi => PI
  | TAdd a b => tden v a + tden v b
  | TSub a b => tden v a - tden v b
  | TOpp a => - tden v a
  | TMul a b => tden v a * tden v b
  | TPow a e => shown (tden v a) e
  | TRoot q a e => shown (root q (tden v a)) e
  | TExp a => exp (tden v a)
  | TLog a => ln (tden v a)
  | TMax a b => Rmax (tden v a) (tden v b)
  | TPower _ a b => power (tden v a) (tden v b)
  | TErf a => erf (tden v a)
  end.

Definition rel (c : cmp) (x y : R) : Prop :=
  match c with Le => x <= y | Lt => x < y | Ge => x >= y | Gt => x > y | Eq => x = y | Ne => x <> y end.
Fixpoint fsem (v : env) (f : tform) : Prop :=
  match f with
  | TRel c a b => rel c (tden v a) (tden v b)
  | TAnd f g => fsem v f /\ fsem v g
  | TOr f g => fsem v f \/ fsem v g
  | TImp f g => fsem v f -> fsem v g
  | TIff f g => fsem v f <-> fsem v g
  end.
Definition all (v : env) (l : list tform) : Prop := fold_right (fun f P => fsem v f /\ P) True l.

Definition put (v : env) (x : positive) (r : R) : env := fun y => if Pos.eqb y x then r else v y.
(* Derivatives exist, and their numbers stand for them: Derive and ex_derive are those of Coquelicot. *)
Fixpoint where_slopes (v : env) (l : list (positive * derivation)) (says : env -> Prop) : Prop :=
  match l with
  | [] => says v
  | (d, (n, x, f, p)) :: l' => let F r := tden (put v x r) f in
    ex_derive_n F n (tden v p) /\ where_slopes (put v d (Derive_n F n (tden v p))) l' says
  end.
Definition integral (v : env) (s : statement) : Prop :=
  forall x domain, In (x, (true, domain)) (vars s) -> exists z, v x = IZR z.
(* Where the hypotheses hold (or at one point where they do) the conclusion is defined, and holds. *)
Definition meaning (s : statement) : Prop :=
  let assumed := flat_map granted (given s) in
  let concluded v := where_slopes v (slopes s) (fun w => all w (stated s)) in
  if exists_one s then exists v, integral v s /\ all v assumed /\ concluded v
  else forall v, integral v s -> all v assumed -> concluded v.
