"""The data sets: where they come from, what their content must be, and how two nodes share them."""
