(entity_declaration name: (_) @name) @definition.module
(architecture_body name: (_) @name entity: (_) @scope) @definition.module
(package_declaration name: (_) @name) @definition.namespace
(package_body package: (_) @name) @definition.namespace
(function_body designator: (_) @name "is" @body) @definition.function
(procedure_body designator: (_) @name "is" @body) @definition.function
(function_declaration designator: (_) @name) @definition.function
(procedure_declaration designator: (_) @name) @definition.function
(process_statement (label (identifier) @name)) @definition.function
(full_type_declaration name: (_) @name) @definition.type
(subtype_declaration name: (_) @name) @definition.type
(constant_declaration (identifier_list (identifier) @name)) @definition.const
(signal_declaration (identifier_list (identifier) @name)) @minor.variable
(component_declaration name: (_) @name) @minor.interface
(comment) @comment
