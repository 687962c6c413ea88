(function_declaration name: (_) @name body: (_) @body) @definition.function
(struct_declaration name: (_) @name) @definition.struct
(global_variable_declaration (variable_declaration (variable_identifier_declaration name: (_) @name))) @definition.variable
(global_constant_declaration [(identifier) @name (variable_identifier_declaration name: (_) @name)]) @definition.const
(type_alias_declaration (identifier) @name) @definition.type
(line_comment) @comment
(block_comment) @comment
; The grammar is older than `const` and `alias`.
((source_file (ERROR . (identifier) @_word . (identifier) @name) @definition.const) (#eq? @_word "const"))
((source_file (ERROR . (identifier) @_word . (identifier) @name) @definition.type) (#eq? @_word "alias"))
