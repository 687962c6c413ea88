(fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @definition.function
(record_decl name: (_) @name) @definition.struct
(type_alias name: (type_name name: (_) @name)) @definition.type
(opaque name: (type_name name: (_) @name)) @definition.type
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro
(callback fun: (_) @name) @minor.function
(module_attribute name: (_) @package)
(spec) @attribute
(comment) @comment
