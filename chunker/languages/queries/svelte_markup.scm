; inherits: markup
((expr_attribute_value (expression (raw_text_expr) @reference.call)) (#match? @reference.call "^\\w+$"))
