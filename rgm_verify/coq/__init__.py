"""Kernel documents as theorems of Coq: the second checker, which is proved sound.

`theory/` holds it: what a statement means (`Meaning.v`), a checker of proofs, and the theorem that what it accepts is
true (`Sound.v`), with the axioms of Coq's real numbers alone. The Python here is not trusted. It writes each document
as data of that theory and each statement in plain text; whether the two belong together Coq finds out.

- `trees`: statements as Coq's trees, and as text that a reader of Coq reads.
- `certificates`: proofs as data.
- `pages`: one file of theorems for each file of claims, with the certificates beside.
- `by_hand`: theorems that a folder of claims keeps in `coq/`, where no proof of the kernel reaches.
- `compiling`: runs `coqc`, at most so many at once, and tells a refusal from a failure of the program.
"""
