"""A transformer beside the static model: its chunk vectors are a second dense signal, filled in the background.

`vectors` is what lies on the disk and what a generation sees of it, `fill` computes what is missing, `vector_table` has
what was computed for any tree of the user, `second_model` is what a search asks.
"""
