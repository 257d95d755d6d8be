"""Private estimators of ours and of others at equal privacy: `nox -s compare`."""
