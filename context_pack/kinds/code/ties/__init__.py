"""The code that is tied to a name or to a place: by the graph, by its name, or by what its text does with the name."""
