"""Jobs in worker processes, the files that keep their results, and the code that these depend on."""
