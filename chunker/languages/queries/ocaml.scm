[
  (compilation_unit (value_definition (let_binding pattern: (_) @name (parameter) body: (_) @body) @definition.function))
  (structure (value_definition (let_binding pattern: (_) @name (parameter) body: (_) @body) @definition.function))
]
[
  (compilation_unit (value_definition (let_binding pattern: (value_name) @name
    body: [(function_expression) (fun_expression)] @body) @definition.function))
  (structure (value_definition (let_binding pattern: (value_name) @name
    body: [(function_expression) (fun_expression)] @body) @definition.function))
]
[
  (compilation_unit (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @definition.variable))
  (structure (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @definition.variable))
]
(external (value_name) @name) @definition.function
(module_binding (module_name) @name body: (_) @body) @definition.module
(module_type_definition (module_type_name) @name body: (_) @body) @definition.interface
(type_binding name: (_) @name) @definition.type
(class_binding (class_name) @name body: (_) @body) @definition.class
(method_definition (method_name) @name body: (_) @body) @definition.method
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(comment) @comment
