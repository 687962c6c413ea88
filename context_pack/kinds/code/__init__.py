"""The pack for a question about code: what is asked, what answers it, and what is tied to that."""
