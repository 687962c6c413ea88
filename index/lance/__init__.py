"""The LanceDB table beside a generation."""
