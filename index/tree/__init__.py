"""What is on the disk: the files of a root, with a reason for everything left out, and how each is read."""
