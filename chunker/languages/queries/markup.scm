; Elements that stand for components.
((start_tag (tag_name) @reference.call) (#match? @reference.call "^[A-Z]"))
((self_closing_tag (tag_name) @reference.call) (#match? @reference.call "^[A-Z]"))
