(program (binary_operator lhs: (_) @name rhs: (function_definition body: (_) @body)) @definition.function)
((program (binary_operator lhs: (identifier) @name rhs: (call function: (_) @_class arguments: (_) @body)) @definition.class)
  (#match? @_class "(R6Class|setClass|setRefClass|new_class|ggproto)$"))
(program (binary_operator lhs: (identifier) @name) @definition.variable)
(program (binary_operator rhs: (call arguments: (arguments (argument value: (call arguments: (arguments
  (argument name: (_) @name value: (function_definition body: (_) @body)) @definition.method)))))))
((program (call function: (_) @_set arguments: (arguments . (argument value: (string content: (_) @name))
  (argument value: (function_definition body: (_) @body)))) @definition.function)
  (#match? @_set "^set(Generic|Method|Validity)$"))
(comment) @comment
