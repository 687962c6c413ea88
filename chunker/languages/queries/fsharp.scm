(function_or_value_defn (function_declaration_left [(identifier) (op_identifier) (active_pattern)] @name) body: (_) @body) @definition.function
(function_or_value_defn (value_declaration_left (identifier_pattern (long_identifier_or_op (identifier) @name))) body: (_) @body) @definition.variable
(module_defn (identifier) @name block: (_)) @definition.namespace
(type_definition (_ (type_name type_name: (_) @name))) @definition.class
(exception_definition exception_name: (_) @name) @definition.class
(member_defn (method_or_prop_defn name: (property_or_ident (identifier) @name .))) @definition.method
(member_defn (member_signature . (identifier) @name)) @definition.method
(namespace name: (long_identifier) @package)
(named_module name: (long_identifier) @package)
(line_comment) @comment
(block_comment) @comment
(attributes) @attribute
