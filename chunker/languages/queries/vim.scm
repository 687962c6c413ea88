(function_definition (function_declaration name: [(identifier) @name (scoped_identifier (identifier) @name)])) @definition.function
(comment) @comment
