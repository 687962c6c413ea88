((class_declaration declaration_kind: _ @_kind name: (_) @name body: (_) @body) @definition.class
  (#any-of? @_kind "class" "actor"))
((class_declaration declaration_kind: _ @_kind name: (_) @name body: (_) @body) @definition.struct
  (#eq? @_kind "struct"))
((class_declaration declaration_kind: _ @_kind name: (_) @name body: (_) @body) @definition.enum
  (#eq? @_kind "enum"))
((class_declaration declaration_kind: _ @_kind name: (_) @name body: (_) @body) @definition.impl
  (#eq? @_kind "extension"))
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(_ "func" . name: _ @name body: (_)? @body) @definition.function
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
(call_expression . (_ target: (_) @receiver suffix: (_ suffix: (simple_identifier) @reference.call)))
; A static member of the type that is expected: `.font(.scaledBody)`, which only its name tells.
((prefix_expression operation: "." @receiver target: (simple_identifier) @reference.call)
  (#match? @reference.call "[a-z][A-Z]"))
(inheritance_specifier inherits_from: (user_type (type_identifier) @reference.base . (type_arguments)? .))
(inheritance_specifier
  inherits_from: (user_type (type_identifier) @receiver . (type_identifier) @reference.base . (type_arguments)? .))
(user_type (type_identifier) @reference.type)
(user_type (type_identifier) @receiver . (type_identifier) @reference.type)
(attribute (user_type (type_identifier) @reference.type))
; The type of a member: `Color.RED`.
((navigation_expression target: (simple_identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((navigation_expression target: (_ target: (_) @receiver suffix: (_ suffix: (simple_identifier) @reference.type))) (#match? @reference.type "^[A-Z]"))

; A property may be computed: what reads it runs its code.
(navigation_expression target: (_) @receiver suffix: (_ suffix: (simple_identifier) @reference.value))
(navigation_expression target: (simple_identifier) @reference.value)
(statements (simple_identifier) @reference.value)
(value_argument value: (simple_identifier) @reference.value)
(control_transfer_statement result: (simple_identifier) @reference.value)
(_ condition: (simple_identifier) @reference.value)
(prefix_expression operation: (bang) target: (simple_identifier) @reference.value)
(_ lhs: (simple_identifier) @reference.value)
(_ rhs: (simple_identifier) @reference.value)

; Bindings of names to types and values.
(property_declaration (pattern bound_identifier: (simple_identifier) @local) (type_annotation (_) @type))
(_ name: (pattern bound_identifier: (simple_identifier) @local) value: [
  (call_expression) (simple_identifier) (navigation_expression) (as_expression)
] @value)
; The grammar calls types `name`, too.
(parameter (simple_identifier) @local . (_) @type .)
(_ "func" (simple_identifier) @result [(user_type) (optional_type)] @type)
(_ ["if" "guard"] bound_identifier: (simple_identifier) @local . [
  (call_expression) (simple_identifier) (navigation_expression) (as_expression)
] @value)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_entry name: (simple_identifier) @name @minor.const)
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: (lambda_literal)) @minor.function
([(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @minor.variable)
  (enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @minor.variable)])
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @minor.variable
(associatedtype_declaration name: (type_identifier) @name) @minor.type
