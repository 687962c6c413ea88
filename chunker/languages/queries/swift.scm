(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @definition.impl
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(function_declaration "func" . name: _ @name body: (_)? @body) @definition.function
(protocol_function_declaration "func" . name: _ @name) @definition.function
(init_declaration name: _ @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.method)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.method)
; Code that runs when a property changes or is first read.
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) (willset_didset_block) @body) @definition.method)
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) value: (call_expression . (lambda_literal) @body)) @definition.method)
(typealias_declaration name: (type_identifier) @name) @definition.type
(source_file (property_declaration
  (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (simple_identifier) @name)) @definition.const)
(source_file (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(macro_declaration (simple_identifier) @name) @definition.macro

(import_declaration) @import
(comment) @comment
(multiline_comment) @comment

(call_expression . (simple_identifier) @reference.call)
(call_expression . (navigation_expression
  target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)))
(inheritance_specifier inherits_from: (user_type (type_identifier) @reference.base . (type_arguments)? .))
(inheritance_specifier
  inherits_from: (user_type (type_identifier) @receiver . (type_identifier) @reference.base . (type_arguments)? .))
(user_type (type_identifier) @reference.type)
(user_type (type_identifier) @receiver . (type_identifier) @reference.type)
(attribute (user_type (type_identifier) @reference.type))

; Bindings of names to types and values.
(property_declaration (pattern bound_identifier: (simple_identifier) @local) (type_annotation (_) @type))
(property_declaration (pattern bound_identifier: (simple_identifier) @local) value: [
  (call_expression) (simple_identifier) (navigation_expression)
] @value)
; The grammar calls types `name`, too.
(parameter (simple_identifier) @local . (_) @type .)
(function_declaration (simple_identifier) @result [(user_type) (optional_type)] @type)
(protocol_function_declaration (simple_identifier) @result [(user_type) (optional_type)] @type)
; Matched by field: the same pattern with (value_binding_pattern) takes nine seconds to compile.
(if_statement bound_identifier: (simple_identifier) @local . [
  (call_expression) (simple_identifier) (navigation_expression)
] @value)
(guard_statement bound_identifier: (simple_identifier) @local . [
  (call_expression) (simple_identifier) (navigation_expression)
] @value)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_entry name: (simple_identifier) @name @minor.const)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (lambda_literal)) @minor.function
([(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @minor.variable)
  (enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @minor.variable)])
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @minor.variable
(associatedtype_declaration name: (type_identifier) @name) @minor.type
