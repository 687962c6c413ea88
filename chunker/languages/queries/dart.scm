; A body is a sibling of its signature: the patterns with a function_body extend definitions over both.
(class_definition name: (_) @name body: (_) @body) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.trait
(extension_declaration class: (type_identifier) @name body: (_) @body) @definition.impl
(extension_type_declaration name: (_) @name body: (_) @body) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(type_alias . (type_identifier) @name) @definition.type
(method_signature [
  (function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)
]) @definition.method
(method_signature (operator_signature (binary_operator) @name)) @definition.method
(method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.method
(declaration (function_signature name: (_) @name)) @definition.method
(declaration (getter_signature name: (_) @name)) @definition.method
([(declaration (constructor_signature . name: (identifier) name: (identifier) @name))
  (method_signature (constructor_signature . name: (identifier) name: (identifier) @name))]) @definition.method
([(declaration (constructor_signature . name: (identifier) @name . parameters: (_)))
  (method_signature (constructor_signature . name: (identifier) @name . parameters: (_)))]) @definition.method
((method_signature [
  (function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)
  (operator_signature (binary_operator) @name)
  (constructor_signature name: (identifier) @name . parameters: (_))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
]) . (function_body) @body @definition.method)
(program [
  (function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)
] @definition.function)
(program [
  (function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)
] . (function_body) @body @definition.function)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.const)

(import_or_export) @import
(comment) @comment
(documentation_comment) @comment
(annotation) @attribute

(_ (identifier) @reference.call . (selector (argument_part)))
(_ [(identifier) (this) (super)] @from . (selector)* . [
  (selector [(unconditional_assignable_selector (identifier) @reference.call)
    (conditional_assignable_selector (identifier) @reference.call)])
  (unconditional_assignable_selector (identifier) @reference.call)
] . (selector (argument_part)))
(_ [(identifier) (this)] @receiver . (cascade_section)*
  . (cascade_section (cascade_selector (identifier) @reference.call) (argument_part)))
(new_expression (type_identifier) @reference.call)
(const_object_expression (type_identifier) @reference.call)
(superclass (type_identifier) @reference.base)
(mixins (type_identifier) @reference.base)
(interfaces (type_identifier) @reference.base)
(mixin_declaration (type_identifier) @reference.base)
(type_identifier) @reference.type
(annotation name: (identifier) @reference.type)
; The type of a member: `Color.RED`.
((_ (identifier) @reference.type . (selector (unconditional_assignable_selector))) (#match? @reference.type "^[A-Z]"))

; A getter is read like a field, and a function may be a value.
(_ [(identifier) (this) (super)] @from . (selector)* . (selector [
  (unconditional_assignable_selector (identifier) @reference.value)
  (conditional_assignable_selector (identifier) @reference.value)
]))
(_ (identifier) @reference.value . (selector (unconditional_assignable_selector)))
(argument . (identifier) @reference.value .)
(named_argument (label) . (identifier) @reference.value .)
(return_statement . (identifier) @reference.value .)

; Bindings of names to types and values.
(initialized_variable_definition (type_identifier) @type name: (identifier) @local)
(initialized_variable_definition (inferred_type) name: (identifier) @local "=" (_)+ @value)
(formal_parameter (type_identifier) @type name: (identifier) @local)
(declaration (type_identifier) @type (initialized_identifier_list (initialized_identifier . (identifier) @member)))
(function_signature . (type_identifier) @type name: (identifier) @result)
(getter_signature . (type_identifier) @type name: (identifier) @result)
(constructor_signature . name: (identifier) @type . "." . name: (identifier) @result)
(factory_constructor_signature . (identifier) @type . "." . (identifier) @result . (formal_parameter_list))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_constant name: (_) @name) @minor.const
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name)) @minor.const)
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name)) @minor.variable)
(extension_declaration name: (identifier) @name) @minor.impl
