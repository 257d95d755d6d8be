"""The grade of accountants by other people, against certified truths: `nox -s grade`."""
