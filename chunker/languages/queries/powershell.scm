(function_statement (function_name) @name (script_block) @body) @definition.function
(class_statement . (simple_name) @name) @definition.class
(class_method_definition (simple_name) @name (script_block) @body) @definition.method
(enum_statement . (simple_name) @name) @definition.enum
(comment) @comment
