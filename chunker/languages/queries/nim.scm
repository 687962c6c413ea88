([(proc_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body)
  (func_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body)
  (iterator_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body)
  (converter_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body)
] @definition.function)
(method_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body) @definition.method
([(template_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body)
  (macro_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)] body: (_)? @body)] @definition.macro)
(type_declaration (type_symbol_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)])) @definition.type
(const_section (variable_declaration
  (symbol_declaration_list (symbol_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)]))) @definition.const)
(source_file (_ (variable_declaration
  (symbol_declaration_list (symbol_declaration name: [(identifier) @name (accent_quoted) @name (exported_symbol . (_) @name)]))) @definition.variable))
(enum_field_declaration (symbol_declaration name: (_) @name)) @minor.const
(comment) @comment
(block_comment) @comment
(documentation_comment) @comment
(block_documentation_comment) @comment
