(file (type_annotation name: (_) @name) @definition.function)
(file (value_declaration (function_declaration_left . (_) @name) body: (_) @body) @definition.function)
(type_declaration name: (_) @name) @definition.type
(type_alias_declaration name: (_) @name) @definition.type
(port_annotation name: (_) @name) @definition.function
(union_variant name: (_) @name) @minor.const
(module_declaration name: (_) @package)
(line_comment) @comment
(block_comment) @comment
