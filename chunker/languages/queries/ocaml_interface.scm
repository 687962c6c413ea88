(value_specification [(value_name) (parenthesized_operator)] @name) @definition.function
(external [(value_name) (parenthesized_operator)] @name) @definition.function
(module_binding (module_name) @name module_type: (_) @body) @definition.module
(module_binding (module_name) @name !module_type !body) @definition.module
(module_binding (module_name) @name body: (module_path)) @minor.module
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface
(type_binding name: (type_constructor) @name) @definition.type
(class_binding (class_name) @name) @definition.class
(class_type_binding (class_type_name) @name) @definition.class
(method_specification (method_name) @name) @definition.method
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(constructor_declaration (constructor_name) @name) @minor.const

(module_definition (module_binding (module_name) body: (module_path))) @import
(open_module) @import
(include_module_type) @import
(comment) @comment

(type_constructor_path . (type_constructor) @reference.type)
(type_constructor_path (_) @receiver (type_constructor) @reference.type)
(module_type_path . (module_type_name) @reference.type)
(module_type_path (_) @receiver (module_type_name) @reference.type)
(class_type_path (_) @reference.type .)
