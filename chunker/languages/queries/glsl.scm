(function_definition declarator: (_ declarator: (_) @name) body: (_) @body) @definition.function
(_ "struct" name: (_) @name body: (_) @body) @definition.struct
; `layout(binding = 0) uniform Scene { ... } scene;`
(translation_unit (declaration (identifier) @name . (field_declaration_list) @body) @definition.struct)
(translation_unit (declaration (field_declaration_list) . (identifier) @name) @minor.variable)
(translation_unit (declaration type: (_) declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [(identifier) @name (_ declarator: (identifier) @name)])
]) @definition.variable)
(_ "#define" name: (_) @name) @definition.macro
(comment) @comment
