"""Makes the embedded static model: mine pairs, build a vocabulary, start, train, export, evaluate."""
