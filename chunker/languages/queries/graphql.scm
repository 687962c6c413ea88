(object_type_definition (name) @name) @definition.class
(interface_type_definition (name) @name) @definition.interface
(input_object_type_definition (name) @name) @definition.struct
(enum_type_definition (name) @name) @definition.enum
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(object_type_extension (name) @name) @definition.class
(operation_definition (name) @name) @definition.function
(fragment_definition (fragment_name) @name) @definition.function
(field_definition (name) @name) @minor.method
(comment) @comment
