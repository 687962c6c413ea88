(function_declaration name: (_) @name body: (_) @body) @definition.function
(ui_property name: (_) @name) @definition.variable
(ui_signal name: (_) @name) @definition.variable
(ui_inline_component name: (_) @name) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
((ui_binding name: (identifier) @_word value: (expression_statement (identifier) @name)) @minor.variable
  (#eq? @_word "id"))
(comment) @comment
