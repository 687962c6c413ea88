(function_definition declarator: [
  (operator_cast) @name
  (function_declarator declarator: (_) @name)
  (_ (function_declarator declarator: (_) @name))
  (_ (_ (function_declarator declarator: (_) @name)))
] body: (_)? @body) @definition.function
(class_specifier name: (_) @name body: (_) @body) @definition.class
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(alias_declaration name: (_) @name) @definition.type
(namespace_definition name: (_) @name) @definition.package
(namespace_definition !name) @definition.package
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro
(template_declaration [
  (function_definition) (class_specifier) (struct_specifier) (union_specifier)
  (alias_declaration) (declaration) (template_declaration) (friend_declaration)
] @wrapped) @wrap
(translation_unit (declaration declarator: (init_declarator declarator: [
  (identifier) @name (_ declarator: (identifier) @name)
])) @definition.variable)
(comment) @comment

; Names inside other code; variables of a file without a value: `__constant__ float weights[9];`
(translation_unit (declaration declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]) @minor.variable)
(enumerator name: (_) @name) @minor.const
(field_declaration declarator: (function_declarator declarator: (_) @name)) @minor.method
