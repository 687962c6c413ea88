"""A transformer beside the static model: its chunk vectors are a second dense signal, filled in the background.

`vector_file` is what lies on the disk, `chunk_vectors` what a generation sees of it, `fill` computes what is missing,
`second_model` is what a search asks.
"""
