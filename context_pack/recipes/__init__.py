"""Each kind of pack: what it selects from which corpus, in which order, under which budget."""
