(struct_definition type: (_) @name) @definition.struct
(union_definition type: (_) @name) @definition.struct
(exception_definition . "exception" . (_) @name) @definition.struct
(enum_definition type: (_) @name) @definition.enum
(typedef_definition (typedef_identifier) @name) @definition.type
(const_definition (identifier) @name) @definition.const
(service_definition . "service" . (_) @name) @definition.interface
(function_definition (identifier) @name) @definition.method
(enum_definition (identifier) @name . "=") @minor.const
(field (identifier) @name) @field
(comment) @comment
