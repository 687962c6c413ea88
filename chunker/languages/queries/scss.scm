(mixin_statement name: (_) @name) @definition.macro
(function_statement name: (_) @name) @definition.function
(comment) @comment
