(class_name_statement name: (_) @name) @minor.class
(class_definition name: (_) @name body: (_) @body) @definition.class
(function_definition name: (_) @name body: (_) @body) @definition.function
(constructor_definition "_init" @name body: (_) @body) @definition.function
(enum_definition name: (_) @name body: (_) @body) @definition.enum
(signal_statement name: (_) @name) @definition.variable
(const_statement name: (_) @name) @definition.const
(variable_statement name: (_) @name) @definition.variable
(export_variable_statement name: (_) @name) @definition.variable
(onready_variable_statement name: (_) @name) @definition.variable
(enumerator left: (identifier) @name) @minor.const
(class_name_statement name: (_) @package)
(annotation) @attribute
(comment) @comment
