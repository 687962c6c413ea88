"""How right the code graph is: our edges against tools that know a language and edges that were looked at."""
