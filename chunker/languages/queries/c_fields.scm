; Fields of types, which are no symbols.
(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (_ (_ declarator: (field_identifier) @name)))
]) @field
