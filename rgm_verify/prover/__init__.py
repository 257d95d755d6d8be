"""The search for proofs that the kernel checks; nothing that it finds is trusted."""
