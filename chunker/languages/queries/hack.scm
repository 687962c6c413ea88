(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(trait_declaration name: (_) @name body: (_) @body) @definition.trait
(enum_declaration name: (_) @name) @definition.enum
(enum_class_declaration name: (_) @name) @definition.enum
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(function_declaration name: (_) @name body: (_)? @body) @definition.function
(alias_declaration . (attribute_modifier)? . (identifier) @name) @definition.type
(const_declaration (const_declarator name: (_) @name)) @definition.const
(enumerator . (identifier) @name) @minor.const
(namespace_declaration name: (_) @package)
(comment) @comment
