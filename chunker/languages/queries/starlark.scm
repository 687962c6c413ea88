(function_definition name: (_) @name body: (block . (expression_statement . (string) @doc .)? @body)) @definition.function
((module (expression_statement (assignment left: (identifier) @name) @definition.const))
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
; cart_library(name = "cart")
(module (expression_statement (call arguments: (argument_list (keyword_argument
  name: (identifier) @_word value: (string (string_content) @name))) @definition.variable))
  (#eq? @_word "name"))
(comment) @comment
