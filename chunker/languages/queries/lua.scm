; inherits: lua_definitions
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(chunk (assignment_statement (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method))))
(chunk (assignment_statement (variable_list name: [(identifier) (dot_index_expression)] @name)) @definition.variable)

((variable_declaration (assignment_statement (expression_list value: (function_call name: (identifier) @_word))))
  @import (#eq? @_word "require"))
((variable_declaration (assignment_statement (expression_list value: (dot_index_expression
  table: (function_call name: (identifier) @_word))))) @import (#eq? @_word "require"))
((assignment_statement (expression_list value: (function_call name: (identifier) @_word)))
  @import (#eq? @_word "require"))
((chunk (function_call name: (identifier) @_word) @import) (#eq? @_word "require"))
((dot_index_expression table: (function_call name: (identifier) @_word) @import) (#eq? @_word "require"))
((method_index_expression table: (function_call name: (identifier) @_word) @import) (#eq? @_word "require"))
(comment) @comment

(function_call name: (identifier) @reference.call)
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @reference.call))
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @reference.call))
; `local Cart = Shop:extend{ ... }`
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list
  . value: (function_call name: (method_index_expression table: (identifier) @reference.base method: (identifier) @_word)))))
  (#any-of? @_word "extend" "new" "subclass"))

; Functions as values: passed, stored or returned, not called.
(arguments (identifier) @reference.value)
(arguments (_ table: (identifier) @receiver field: (identifier) @reference.value))
(field value: (identifier) @reference.value)
(field value: (_ table: (identifier) @receiver field: (identifier) @reference.value))
(assignment_statement (variable_list name: (dot_index_expression)) (expression_list value: (identifier) @reference.value))

; Bindings of names to types and values.
(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @local) (expression_list . value: (_) @value)))
  (#not-match? @value "\\Arequire\\b"))
(variable_declaration (assignment_statement (variable_list (identifier) . (identifier) @local)))
((assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @_owner field: (identifier) @member))
  (expression_list . value: (_) @value)) (#eq? @_owner "self"))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(field name: (identifier) @name value: (function_definition)) @minor.method
(field name: (string content: (_) @name) value: (function_definition)) @minor.method
(field name: (identifier) @name value: (binary_expression right: (function_definition))) @minor.method
