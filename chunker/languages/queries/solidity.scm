(contract_declaration name: (_) @name body: (_) @body) @definition.class
(library_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(function_definition name: (_) @name body: (_)? @body) @definition.function
(modifier_definition name: (_) @name body: (_)? @body) @definition.function
(constructor_definition "constructor" @name body: (_) @body) @definition.method
(fallback_receive_definition ["fallback" "receive"] @name body: (_)? @body) @definition.method
(struct_declaration name: (_) @name body: (_) @body) @definition.struct
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(event_definition name: (_) @name) @definition.type
(error_declaration name: (_) @name) @definition.type
(user_defined_type_definition name: (_) @name) @definition.type
(state_variable_declaration name: (_) @name) @definition.variable
(constant_variable_declaration name: (_) @name) @definition.const
(comment) @comment
