"""Questions about the ties of a name: which name a text asks about, and the code that stands in the relation."""
