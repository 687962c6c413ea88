; A dot in a name separates no scope: `print.cart` is one word.
(program (binary_operator lhs: (_) @name @whole rhs: (function_definition body: (_) @body)) @definition.function)
((program (binary_operator lhs: (identifier) @name @whole rhs: (call function: (_) @_class arguments: (_) @body)) @definition.class)
  (#match? @_class "(R6Class|setClass|setRefClass|new_class|ggproto)$"))
((program (call function: (_) @_class arguments: (arguments . (argument value: (string content: (_) @name @whole))))
  @definition.class) (#match? @_class "^set(Ref)?Class$"))
(program (binary_operator lhs: (identifier) @name @whole) @definition.variable)
(program (binary_operator rhs: (call arguments: (arguments (argument value: (call arguments: (arguments
  (argument name: (_) @name @whole value: (function_definition body: (_) @body)) @definition.method)))))))
((program (call function: (_) @_set arguments: (arguments . (argument value: (string content: (_) @name @whole))
  (argument value: (function_definition body: (_) @body)))) @definition.function)
  (#match? @_set "^set(Generic|Method|Validity)$"))
(function_definition body: (braced_expression
  (binary_operator lhs: (identifier) @name @whole rhs: (function_definition body: (_) @body)) @definition.function))

((call function: (identifier) @_word) @import (#any-of? @_word "library" "require" "requireNamespace" "source"))
(comment) @comment

(call function: (identifier) @reference.call)
(call function: (namespace_operator lhs: (_) @receiver rhs: (identifier) @reference.call))
(call function: (extract_operator lhs: (_) @receiver rhs: (identifier) @reference.call))
((binary_operator operator: _ @_pipe rhs: (identifier) @reference.call) (#eq? @_pipe "%>%"))
((call function: (identifier) @_word arguments: (arguments . (argument value: (string content: (_) @reference.call))))
  (#any-of? @_word "do.call" "exec" "match.fun"))
((argument name: (identifier) @_name value: (identifier) @reference.base) (#eq? @_name "inherit"))
((argument name: (identifier) @_name value: (string content: (_) @reference.base)) (#eq? @_name "contains"))

; Functions as values, which columns of data may be named after: only those that functions of functions get.
((call function: (_) @_word arguments: (arguments (argument value: (identifier) @reference.value)))
  (#match? @_word "(apply|[Mm]ap\\w*|walk\\w*|[Rr]educe\\w*|[Ff]ilter|keep|discard|detect|do\\.call|match\\.fun|exec)$"))

; Bindings of names to types and values.
(parameter name: (identifier) @local)
(for_statement variable: (identifier) @local)
(binary_operator lhs: (identifier) @local rhs: (function_definition name: "function" @value))
; After `cart <- cart(shop)`, `cart(other)` calls the function again.
((binary_operator lhs: (identifier) @local rhs: (_) @value) @_assignment
  (#match? @_assignment "\\A([\\w.]+)\\s*(?:<<?-|=)(?!=|\\s*(?:\\1|function)\\s*\\()"))
((binary_operator lhs: (extract_operator lhs: (identifier) @_self rhs: (identifier) @member) rhs: (_) @value)
  (#any-of? @_self "self" "private"))
