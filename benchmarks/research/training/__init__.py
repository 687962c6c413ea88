"""How the embedded static model is made: mine pairs, build a vocabulary, start, train, export, evaluate."""
