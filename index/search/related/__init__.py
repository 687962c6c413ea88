"""What is tied to the hits of a query."""
