(function name: (_) @name body: (_)? @body) @definition.function
(external_function name: (_) @name) @definition.function
(type_definition (type_name name: (_) @name)) @definition.type
(type_alias (type_name name: (_) @name)) @definition.type
(external_type (type_name name: (_) @name)) @definition.type
(constant name: (_) @name) @definition.const
(data_constructor name: (_) @name) @minor.const
(attribute) @attribute
(comment) @comment
(module_comment) @comment
(statement_comment) @comment
