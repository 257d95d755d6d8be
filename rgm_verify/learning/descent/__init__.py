"""Private gradient descent: the runs, their privacy, their utility, and their exact moments."""
