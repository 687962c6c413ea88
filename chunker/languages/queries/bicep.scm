(resource_declaration . "resource" . (identifier) @name) @definition.struct
(module_declaration . "module" . (identifier) @name) @definition.struct
(parameter_declaration . "param" . (identifier) @name) @definition.variable
(variable_declaration . "var" . (identifier) @name) @definition.variable
(output_declaration . "output" . (identifier) @name) @definition.variable
(type_declaration . "type" . (identifier) @name) @definition.type
(user_defined_function name: (_) @name) @definition.function
(decorators) @attribute
(comment) @comment
