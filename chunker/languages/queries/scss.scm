(mixin_statement name: (_) @name) @definition.macro
(function_statement name: (_) @name) @definition.function
((stylesheet (declaration . (property_name) @name) @definition.variable) (#match? @name "^\\$"))
(comment) @comment
