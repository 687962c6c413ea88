; inherits: ecma, jsx
(class_body (field_definition property: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (call_expression arguments: (arguments . [  ; debounce(() => { ... }, 300)
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]))
]) @definition.method)
(class_heritage (identifier) @reference.base)
(class_heritage (member_expression object: (_) @receiver property: (property_identifier) @reference.base))

(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))

((field_definition property: (_) @name) @minor.const (#match? @name "^#?_*[A-Z][A-Z0-9_]+$"))

; Fields of types, which are no symbols.
(field_definition property: (_) @name) @field
