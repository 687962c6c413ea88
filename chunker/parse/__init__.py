"""From bytes to a syntax tree, and to the captures of a query in it."""
