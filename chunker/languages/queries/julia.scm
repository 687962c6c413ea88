(module_definition name: (_) @name) @definition.namespace
(function_definition (signature [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . [(call_expression . (_) @name) (typed_expression . (call_expression . (_) @name))])
  (identifier) @name
])) @definition.function
(assignment . [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . [(call_expression . (_) @name) (typed_expression . (call_expression . (_) @name))])
]) @definition.function
(macro_definition (signature (call_expression . (_) @name))) @definition.macro
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
])) @definition.struct
(abstract_definition (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @definition.type
(const_statement (assignment . (identifier) @name)) @definition.const
(macrocall_expression (macro_argument_list (function_definition) @wrapped)) @wrap
((string_literal) @comment . [
  (function_definition) (assignment) (macro_definition) (struct_definition) (abstract_definition) (const_statement)
  (macrocall_expression) (module_definition)
])
(line_comment) @comment
(block_comment) @comment
