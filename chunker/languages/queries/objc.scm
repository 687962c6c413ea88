; inherits: c_fields
; A category, or the extension of a class: `@interface Cart (Totals)`, `@interface Cart ()`
(class_interface . (identifier) @name . "(") @definition.impl
(class_interface . (identifier) @name) @definition.interface
(class_implementation . (identifier) @name . "(") @definition.impl
(class_implementation . (identifier) @name) @definition.class
(protocol_declaration . (identifier) @name) @definition.interface
(implementation_definition
  (method_definition (method_type) @_type . (identifier) @name (compound_statement) @body) @definition.method)
(method_declaration (method_type) . (identifier) @name) @definition.method
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
] body: (_) @body) @definition.function
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
; `typedef NS_ENUM(NSInteger, State) { open, closed };`, of which the mask leaves `State open, closed;`
((declaration type: (_) @name) @definition.enum (#match? @definition.enum "^\\w+\\s*\\)"))
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator [
  (block_pointer_declarator declarator: (type_identifier) @name)
  (pointer_declarator declarator: (type_identifier) @name)
]))) @definition.type
((translation_unit (declaration declarator: (init_declarator declarator: [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)
])) @definition.const) (#not-match? @definition.const "^\\w+\\s*\\)"))
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

(preproc_include) @import
(module_import) @import
(comment) @comment

(message_expression receiver: (_) @receiver . method: (identifier) @reference.call)
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))
(class_interface superclass: (identifier) @reference.base)
(class_interface (parameterized_arguments (type_name (type_identifier) @reference.base)))
(protocol_declaration (protocol_reference_list (identifier) @reference.base))
(type_identifier) @reference.type
(protocol_reference_list (identifier) @reference.type)
((message_expression receiver: (identifier) @reference.call method: (identifier) @_make)
  (#any-of? @_make "alloc" "new"))
; The class that a message is sent to: `[Cart open]`.
((message_expression receiver: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))

; A property may have a method that computes it; functions and selectors as values.
(field_expression argument: (_) @receiver field: (field_identifier) @reference.value)
(selector_expression (identifier) @reference.value)
(argument_list (identifier) @reference.value)
(argument_list (pointer_expression "&" argument: (identifier) @reference.value))
(initializer_list (identifier) @reference.value)
(initializer_pair value: (identifier) @reference.value)

; Bindings of names to types and values.
(_ type: (_) @type declarator: [
  (identifier) @local
  (_ declarator: (identifier) @local)
  (_ declarator: (_ declarator: (identifier) @local))
])
(_ declarator: (init_declarator declarator: [(identifier) @local (_ declarator: (identifier) @local)] value: (_) @value))
(method_parameter (method_type (type_name) @type) (identifier) @local)
(method_parameter . (identifier) @local)
(_ type: (_) @type [(identifier) @local (pointer_declarator declarator: (identifier) @local)] "in")
(_ (method_type (type_name) @type) . (identifier) @result)
(function_definition type: (_) @type declarator: [
  (function_declarator declarator: (identifier) @result)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @result))
])
(struct_declaration . (_) @type . (struct_declarator [
  (identifier) @member (pointer_declarator declarator: (identifier) @member)
]))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)
]))) @minor.variable
(enumerator name: (identifier) @name) @minor.const
((translation_unit (declaration declarator: [(identifier) @name (_ declarator: (identifier) @name)]) @minor.const)
  (#match? @minor.const "^\\w+\\s*\\)"))
