(module_declaration (module_header (simple_identifier) @name)) @definition.module
(interface_declaration (_ "interface" (interface_identifier) @name)) @definition.interface
(program_declaration (_ "program" (program_identifier) @name)) @definition.module
(package_declaration "package" (package_identifier) @name . ";") @definition.namespace
(class_declaration "class" . (_)? . (class_identifier) @name) @definition.class
(function_declaration (function_body_declaration (function_identifier (function_identifier) @name))) @definition.function
(task_declaration (task_body_declaration (task_identifier (task_identifier) @name))) @definition.function
(class_constructor_declaration "new" @name) @definition.method
(type_declaration "typedef" (simple_identifier) @name . ";") @definition.type
(param_assignment (parameter_identifier) @name) @definition.const
(text_macro_definition (text_macro_name (text_macro_identifier) @name)) @definition.macro
(function_prototype (function_identifier (function_identifier) @name)) @minor.method
(comment) @comment
