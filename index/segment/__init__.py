"""Files as columns: read, chunked and embedded, by one process or several, and merged."""
