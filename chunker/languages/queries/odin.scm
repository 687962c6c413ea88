(procedure_declaration . (attributes)? . (identifier) @name (procedure (block)? @body)) @definition.function
(overloaded_procedure_declaration . (attributes)? . (identifier) @name) @definition.function
(struct_declaration . (attributes)? . (identifier) @name) @definition.struct
(union_declaration . (attributes)? . (identifier) @name) @definition.struct
(enum_declaration . (attributes)? . (identifier) @name) @definition.enum
(bit_field_declaration . (attributes)? . (identifier) @name) @definition.struct
(const_declaration . (attributes)? . (identifier) @name) @definition.const
(const_type_declaration . (attributes)? . (identifier) @name) @definition.const
(source_file (var_declaration . (attributes)? . (identifier) @name) @definition.variable)
(source_file (variable_declaration . (attributes)? . (identifier) @name) @definition.variable)
(comment) @comment
(block_comment) @comment
