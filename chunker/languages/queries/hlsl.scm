; inherits: cuda
; `cbuffer Scene : register(b0) { ... }` is parsed as a declaration and a block.
((declaration type: (type_identifier) @_word declarator: (identifier) @name) @definition.struct
  . (compound_statement) @body @tail (#any-of? @_word "cbuffer" "tbuffer"))
; Textures, samplers, buffers.
(translation_unit (declaration declarator: [
  (identifier) @name (array_declarator declarator: (identifier) @name)
]) @definition.variable)
