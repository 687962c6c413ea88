"""The files on the disk below a root, with a reason for each one left out, and how each is read."""
