(message (message_name) @name (message_body) @body) @definition.struct
(service (service_name) @name) @definition.interface
(rpc (rpc_name) @name) @definition.method
(enum (enum_name) @name (enum_body) @body) @definition.enum
[(field (identifier) @name) (map_field (identifier) @name) (oneof_field (identifier) @name)] @field
(package (full_ident) @package)
(comment) @comment
