(* Signs of numbers: what a proof says of a constant such as 3 ln 2 - 2 is shown by enclosures of `interval`. *)
From Interval Require Export Tactic.
From Rgm Require Export Reading.

Lemma root_exp q x : 0 < x -> q <> 2%positive -> root q x = exp (/ IZR (Zpos q) * ln x).
Proof.
  intros P N. unfold root, Rpower. destruct q as [q|[q|q|]|]; try (destruct (Rlt_dec 0 x); [reflexivity|lra]).
  destruct (N eq_refl).
Qed.
Ltac by_numbers :=
  repeat match goal with |- context [root ?q ?x] => rewrite (root_exp q x); [|interval|discriminate] end;
  repeat split; interval with (i_prec 300).
