(function_declaration name: (method_index_expression) @name body: (_)? @body) @definition.method
(function_declaration name: (_) @name body: (_)? @body) @definition.function
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @definition.function)
(assignment_statement
  (variable_list . name: (dot_index_expression) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(chunk (variable_declaration (assignment_statement (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method)))))
(chunk (return_statement (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method))))
((chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.const)
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
