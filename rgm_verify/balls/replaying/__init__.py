"""Parts of the replayer: its own ball functions, and the statement as it reads it; nothing of the search is used."""
