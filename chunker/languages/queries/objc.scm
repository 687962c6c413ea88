(class_interface . (identifier) @name) @definition.interface
(class_implementation . (identifier) @name) @definition.class
(protocol_declaration . (identifier) @name) @definition.interface
(implementation_definition
  (method_definition (method_type) @_type . (identifier) @name (compound_statement) @body) @definition.method)
(method_declaration (method_type) . (identifier) @name) @definition.method
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
] body: (_) @body) @definition.function
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(translation_unit (declaration declarator: (init_declarator declarator: [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)
])) @definition.const)
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)
]))) @minor.variable
(comment) @comment
