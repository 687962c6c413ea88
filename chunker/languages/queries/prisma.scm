(model_block (identifier) @name) @definition.struct
(enum_block . (identifier) @name) @definition.enum
(comment) @comment
(document_comment) @comment
