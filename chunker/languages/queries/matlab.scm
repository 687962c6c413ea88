(class_definition name: (_) @name) @definition.class
(function_definition name: (_) @name) @definition.function
(function_signature name: (_) @name) @minor.function
(properties (property name: (_) @name) @minor.variable)
(enumeration (enum . (identifier) @name) @minor.const)
(comment) @comment
