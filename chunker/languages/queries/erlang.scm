(fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @definition.function
(record_decl name: (_) @name) @definition.struct
(type_alias name: (type_name name: (_) @name)) @definition.type
(opaque name: (type_name name: (_) @name)) @definition.type
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro
(callback fun: (_) @name) @minor.function
(module_attribute name: (_) @package)
(spec) @attribute
(comment) @comment

(pp_include) @import
(pp_include_lib) @import
(import_attribute) @import
(behaviour_attribute) @import

(call expr: (atom) @reference.call)
(call expr: (remote module: (_ module: (atom) @receiver) fun: (atom) @reference.call))
((call expr: (remote module: (_ module: (_ name: (var) @_own)) fun: (atom) @reference.call)) (#eq? @_own "MODULE"))
(internal_fun fun: (atom) @reference.value)
(external_fun module: (_ name: (atom) @receiver) fun: (atom) @reference.value)
((external_fun module: (_ name: (macro_call_expr name: (var) @_own)) fun: (atom) @reference.value)
  (#eq? @_own "MODULE"))
(macro_call_expr name: (_) @reference.macro)
(record_name name: (atom) @reference.type)
(spec) @types
(callback) @types
(type_alias) @types
(opaque) @types
(record_field ty: (_) @types)
