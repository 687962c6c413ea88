(function_or_value_defn (function_declaration_left [(identifier) (op_identifier) (active_pattern)] @name) body: (_) @body) @definition.function
(function_or_value_defn (value_declaration_left (identifier_pattern (long_identifier_or_op (identifier) @name))) body: (_) @body) @definition.variable
; The members of an `AutoOpen` module are seen like those of the namespace around it. Its attributes come first: without
; the anchor, each declaration in it may begin a match, which takes cubic time.
((module_defn . (attributes (attribute (simple_type (long_identifier . (identifier) @_auto .)))) (identifier) @name)
  @definition.package (#match? @_auto "^AutoOpen(Attribute)?$"))
(module_defn (identifier) @name block: (_)) @definition.namespace
(type_definition (_ (type_name type_name: (_) @name))) @definition.class
(exception_definition exception_name: (_) @name) @definition.class
(member_defn (method_or_prop_defn name: (property_or_ident (identifier) @name .))) @definition.method
(member_defn (member_signature . (identifier) @name)) @definition.method
(namespace name: (long_identifier) @package)
; `module Shop.Cart` is a module of the namespace `Shop`.
(named_module name: (long_identifier . (identifier) @package (identifier)))
(named_module name: (long_identifier (identifier) @package.inner . (identifier)))
((named_module . (attributes (attribute (simple_type (long_identifier . (identifier) @_auto .))))
  name: (long_identifier (identifier) @name .)) @definition.package (#match? @_auto "^AutoOpen(Attribute)?$"))
(named_module name: (long_identifier (identifier) @name .)) @definition.namespace
(import_decl) @import
(line_comment) @comment
(block_comment) @comment
(attributes) @attribute

(application_expression . (long_identifier_or_op . (identifier) @reference.call))
(application_expression . (long_identifier_or_op (long_identifier . (identifier) @from (identifier) @reference.call .)))
(infix_expression (infix_op) (long_identifier_or_op . (identifier) @reference.call))
(infix_expression (infix_op) (long_identifier_or_op (long_identifier . (identifier) @from (identifier) @reference.call .)))
(dot_expression base: (_) @receiver field: (long_identifier_or_op . (identifier) @reference.call))
(long_identifier_or_op . (identifier) @reference.value)
(long_identifier_or_op (long_identifier . (identifier) @from (identifier) @reference.value .))
(simple_type (long_identifier . (identifier) @reference.type .))
(simple_type (long_identifier . (identifier) @from (identifier) @reference.type .))
(class_inherits_decl (simple_type (long_identifier . (identifier) @reference.base .)))
(class_inherits_decl (simple_type (long_identifier . (identifier) @from (identifier) @reference.base .)))
(interface_implementation (simple_type (long_identifier . (identifier) @reference.base .)))
(interface_implementation (simple_type (long_identifier . (identifier) @from (identifier) @reference.base .)))

; Names bound by patterns and parameters, with their types.
(typed_pattern (identifier_pattern (_ . (identifier) @local)) (simple_type) @type)
((identifier_pattern (long_identifier_or_op . (identifier) @local)) (#match? @local "^[a-z_]"))
(argument_patterns (long_identifier (identifier) @local))
(property_or_ident instance: (identifier) @local)
