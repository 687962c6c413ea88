"""Files, folders and git, as every kind of pack reads them."""
