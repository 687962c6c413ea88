(function_declaration receiver: (parameter_list (parameter_declaration type: (_) @scope)) name: (_) @name
  body: (_)? @body) @definition.method
(function_declaration name: (_) @name body: (_)? @body) @definition.function
(struct_declaration name: (_) @name) @definition.struct
(enum_declaration name: (_) @name) @definition.enum
(interface_declaration name: (_) @name) @definition.interface
(type_declaration name: (_) @name) @definition.type
(const_spec name: (_) @name) @definition.const
(global_var_type_initializer name: (_) @name) @definition.variable
(module_clause (module_identifier) @package)
(enum_member name: (_) @name) @minor.const
(attribute_list) @attribute
(comment) @comment
