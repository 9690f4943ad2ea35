"""Play, for any game: compiled search, whole games and pairs, weight files, boards for people."""
