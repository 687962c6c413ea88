"""Questions to a fleet of repositories: which ones they are about, one pack of them all, and a server for readers."""
