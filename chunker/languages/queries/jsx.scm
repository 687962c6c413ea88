; Elements that stand for components.
((jsx_opening_element name: (identifier) @reference.call) (#match? @reference.call "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @reference.call) (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (_ object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_self_closing_element name: (_ object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_expression (identifier) @reference.value)
(jsx_expression (_ object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value))
