"""Jobs in worker processes, the files that keep their results, and the code that these depend on.

The room knows nothing of claims: a job is a function, a result is JSON data, and what makes a result old is the code
that it was made with. A run that is stopped at any moment loses the jobs in flight and nothing else.
"""
