"""`python -m rgm_verify` is `rgm-verify`."""

from rgm_verify.cli import main

if __name__ == "__main__":
    main(prog_name="rgm-verify")
