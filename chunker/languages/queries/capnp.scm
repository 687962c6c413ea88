(struct (type_identifier) @name) @definition.struct
(enum (enum_identifier) @name) @definition.enum
(interface . "interface" . (type_identifier) @name) @definition.interface
(method (method_identifier) @name) @definition.method
(const (const_identifier) @name) @definition.const
(annotation (annotation_definition_identifier) @name) @definition.type
(replace_using (type_definition) @name) @definition.type
(enum_field (enum_member) @name) @minor.const
(field . (field_identifier) @name) @field
(comment) @comment
