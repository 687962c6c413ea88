; inherits: markup
((directive_attribute (quoted_attribute_value (attribute_value) @reference.call)) (#match? @reference.call "^\\w+$"))
