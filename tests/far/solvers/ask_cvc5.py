"""Put scripts in SMT-LIB to cvc5: a program of its own, because some of cvc5's computations heed no limit.

It reads one JSON object, `{"scripts": [text, ...], "way": {option: value}, "work": number, "seconds": number}`, and
writes one line of JSON for each script, `[answer, values]`, where the answer is `sat`, `unsat` or `unknown`, and the
values are those of the constants `x1, x2, ...` in the model of a `sat`. It is run as a file, so that nothing of the
library is loaded.
"""

from __future__ import annotations

import json
import sys
from typing import Any

#: No question of this project needs a tenth of it.
_MEMORY = 4 << 30


def answer(script: str, way: dict[str, str], work: int) -> tuple[str, dict[str, str]]:
    """The answer to a script, with the values of its constants where it is `sat`.

    `way` holds options of cvc5; `work` limits its own count of resources, which does not depend on the machine.

    Args:
        script: A script in SMT-LIB without `check-sat`.
        way: Options of cvc5 by name.
        work: The limit of its resources, at least 1.

    Returns:
        `sat`, `unsat` or `unknown`, and values by name.

    Raises:
        ValueError: For a line that cvc5 refuses: the text was written wrongly, which must not look like
            an open question.
    """
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in (way | {"rlimit": str(max(1, work)), "produce-models": "true"}).items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "question")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        complaint = command.invoke(solver, symbols)
        if "error" in str(complaint):
            raise ValueError(f"cvc5 refuses the line {command}: {complaint}")
    result = solver.checkSat()
    if not result.isSat():
        return ("unsat" if result.isUnsat() else "unknown"), {}
    # Names that begin with x are the author's variables; all others belong to the translation.
    constants: list[Any] = [term for term in symbols.getDeclaredTerms() if str(term).startswith("x")]
    return "sat", {str(term): str(solver.getValue(term)) for term in constants}


def _limit(seconds: int) -> None:
    """Stop at the limit of time or memory, even when no caller waits any more."""
    try:
        import resource
    except ImportError:  # Windows: the process that started this one ends it
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def main() -> None:
    """Answer what stands on the standard input."""
    asked = json.load(sys.stdin)
    _limit(asked["seconds"])
    for script in asked["scripts"]:
        sys.stdout.write(json.dumps(answer(script, asked["way"], asked["work"])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
