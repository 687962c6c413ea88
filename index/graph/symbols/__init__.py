"""Which definitions a tree has, and where each name can be looked up."""
