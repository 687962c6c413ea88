(shape_statement (shape_body (structure_statement (identifier) @name))) @definition.struct
(shape_statement (shape_body (union_statement (identifier) @name))) @definition.struct
(shape_statement (shape_body (enum_statement (identifier) @name))) @definition.enum
(shape_statement (shape_body (service_statement (identifier) @name))) @definition.interface
(shape_statement (shape_body (resource_statement (identifier) @name))) @definition.class
(shape_statement (shape_body (operation_statement (identifier) @name))) @definition.function
(shape_statement (shape_body [
  (list_statement (identifier) @name) (map_statement (identifier) @name) (simple_shape_statement (identifier) @name)
])) @definition.type
(enum_member (enum_field) @name) @minor.const
(namespace_statement (namespace) @package)
(comment) @comment
