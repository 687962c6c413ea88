(package_declaration name: (_) @name) @definition.namespace
(package_body name: (_) @name) @definition.namespace
(subprogram_body (_ name: (_) @name) "is" @body) @definition.function
(subprogram_declaration (_ name: (_) @name)) @definition.function
(expression_function_declaration (_ name: (_) @name)) @definition.function
(null_procedure_declaration (_ name: (_) @name)) @definition.function
(subprogram_renaming_declaration (_ name: (_) @name)) @definition.function
(generic_subprogram_declaration (_ name: (_) @name)) @definition.function
(generic_instantiation name: (_) @name) @definition.module
(full_type_declaration "type" . (identifier) @name) @definition.type
(private_type_declaration "type" . (identifier) @name) @definition.type
(private_extension_declaration "type" . (identifier) @name) @definition.type
(incomplete_type_declaration "type" . (identifier) @name) @minor.type
(subtype_declaration . "subtype" . (identifier) @name) @definition.type
(task_type_declaration (identifier) @name . "is") @definition.class
(protected_type_declaration "type" . (identifier) @name) @definition.class
(single_protected_declaration "protected" . (identifier) @name) @definition.class
(single_task_declaration "task" . (identifier) @name) @definition.class
(task_body "body" . (identifier) @name) @definition.class
(protected_body "body" . (identifier) @name) @definition.class
(entry_declaration entry_name: (_) @name) @definition.method
(exception_declaration . (identifier) @name) @definition.type
((object_declaration name: (_) @name "constant") @definition.const)
(object_declaration name: (_) @name) @definition.variable
(number_declaration . (identifier) @name) @definition.const
(comment) @comment
