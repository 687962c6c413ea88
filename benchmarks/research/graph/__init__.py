"""How right the code graph is: our edges against tools for a language, and against edges that people checked."""
