(subroutine_declaration_statement name: (_) @name body: (_) @body) @definition.function
(method_declaration_statement name: (_) @name body: (_) @body) @definition.method
(package_statement name: (_) @name (block) @body) @definition.module
(package_statement name: (_) @package)
(comment) @comment

; Attributes of Mojo::Base, Moose and Moo.
(ambiguous_function_call_expression
  function: (function) @_has arguments: [
    (autoquoted_bareword) @name (string_literal content: (_) @name)
    (list_expression . [(autoquoted_bareword) @name (string_literal content: (_) @name)])
  ] (#eq? @_has "has")) @minor.method
