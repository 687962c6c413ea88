(class_declaration (class) (identifier) @name (aggregate_body)? @body) @definition.class
(struct_declaration (struct) (identifier) @name (aggregate_body)? @body) @definition.struct
(union_declaration (union) (identifier) @name (aggregate_body)? @body) @definition.struct
(interface_declaration (interface) (identifier) @name (aggregate_body)? @body) @definition.interface
(enum_declaration (enum) (identifier) @name) @definition.enum
(function_declaration (identifier) @name (function_body) @body) @definition.function
(constructor (this) @name (function_body) @body) @definition.method
(template_declaration (identifier) @name) @definition.macro
(manifest_declarator . (identifier) @name) @definition.const
(alias_initializer . (identifier) @name) @definition.type
(variable_declaration (declarator . (identifier) @name)) @definition.variable
(auto_declaration (identifier) @name) @definition.variable
(module_declaration (module_fqn) @package)
(at_attribute) @attribute
(comment) @comment
