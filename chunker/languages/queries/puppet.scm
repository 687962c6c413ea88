(class_definition . "class" . (_) @name) @definition.class
(defined_resource_type . "define" . (_) @name) @definition.type
(function_declaration . "function" . (_) @name) @definition.function
(type_declaration . "type" . (_) @name) @definition.type
(comment) @comment
