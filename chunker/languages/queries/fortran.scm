(module (module_statement (name) @name)) @definition.module
(submodule (submodule_statement (name) @name)) @definition.module
(program (program_statement (name) @name)) @definition.module
(function (function_statement name: (_) @name)) @definition.function
(subroutine (subroutine_statement name: (_) @name)) @definition.function
(module_procedure (module_procedure_statement name: (_) @name)) @definition.function
(derived_type_definition (derived_type_statement (type_name) @name)) @definition.struct
(interface (interface_statement [(name) (operator) (assignment)] @name)) @definition.interface
((module (variable_declaration (type_qualifier) @_word declarator: (init_declarator left: (identifier) @name))
  @definition.const) (#match? @_word "(?i)^parameter"))
(derived_type_procedures (procedure_statement declarator: [
  (method_name) @name (binding (binding_name (_) @name))
]) @minor.method)
(comment) @comment
