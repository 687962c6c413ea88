(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration "class" (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(function_declaration
  receiver: (receiver_type [
    (user_type . (type_identifier) @scope)
    (nullable_type (user_type . (type_identifier) @scope))
  ])
  (simple_identifier) @name (function_body)? @body) @definition.function
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name) @definition.method
(anonymous_initializer "init" @name) @definition.method
(property_declaration (variable_declaration (simple_identifier) @name) (object_literal (class_body) @body)) @definition.class
(type_alias (type_identifier) @name) @definition.type
((source_file (property_declaration
  (modifiers (property_modifier) @_const) (variable_declaration (simple_identifier) @name)) @definition.const)
  (#eq? @_const "const"))
(source_file (property_declaration
  receiver: (receiver_type (user_type . (type_identifier) @scope))
  (variable_declaration (simple_identifier) @name)) @definition.variable)
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable)
; Accessors on lines of their own are siblings of their property in the tree.
((property_declaration (variable_declaration (simple_identifier) @name)) @definition.method
  . [(getter (function_body)) (setter (function_body))]+ @tail)
((property_declaration (variable_declaration (simple_identifier) @name) [
  (getter (function_body)) (setter (function_body))]) @definition.method)

; After two annotations, the grammar may parse `public fun String.shout() {}` and `class A {}` as expressions.
((infix_expression (simple_identifier) @_fun . (call_expression . [
  (simple_identifier) @name
  (navigation_expression . (simple_identifier) @scope (navigation_suffix (simple_identifier) @name))
])) @definition.function (#eq? @_fun "fun"))
((infix_expression (simple_identifier) @_class . (simple_identifier) @name (lambda_literal)? @body) @definition.class
  (#any-of? @_class "class" "interface" "object"))
(prefix_expression . (annotation) . [(prefix_expression) (infix_expression)] @wrapped) @wrap

(import_header) @import
(line_comment) @comment
(multiline_comment) @comment
; An annotation with arguments on a line of its own is parsed as an expression.
(source_file (prefix_expression . (annotation) . (parenthesized_expression) .) @attribute)

(call_expression . (simple_identifier) @reference.call)
(call_expression . (navigation_expression
  (_) @receiver (navigation_suffix (simple_identifier) @reference.call) .))
(infix_expression . (_) @receiver . (simple_identifier) @reference.call)
(delegation_specifier (user_type (type_identifier) @reference.base . (type_arguments)? .))
(delegation_specifier (user_type . ((type_identifier) @receiver ".")+ (type_identifier) @reference.base . (type_arguments)? .))
; `Base(1)`, `Face by face`
(delegation_specifier (_ . (user_type (type_identifier) @reference.base . (type_arguments)? .)))
(delegation_specifier (_ . (user_type
  . ((type_identifier) @receiver ".")+ (type_identifier) @reference.base . (type_arguments)? .)))
(user_type (type_identifier) @reference.type)
(user_type . ((type_identifier) @receiver ".")+ (type_identifier) @reference.type)
(callable_reference (type_identifier) @reference.type)

; The type of a member: `Color.RED`; objects as values: `state == First`, `First ->`, `listOf(First)`, `Outer.First`.
([
  (navigation_expression . (simple_identifier) @reference.type)
  (directly_assignable_expression . (simple_identifier) @reference.type . (navigation_suffix))
  (value_argument (simple_identifier) @reference.type .)
  (when_condition (simple_identifier) @reference.type)
  (equality_expression (simple_identifier) @reference.type)
  (infix_expression (simple_identifier) @reference.type)
  (elvis_expression (simple_identifier) @reference.type)
  (control_structure_body (simple_identifier) @reference.type)
  (function_body (simple_identifier) @reference.type)
  (jump_expression (simple_identifier) @reference.type)
  (property_declaration (simple_identifier) @reference.type)
  (navigation_expression . (simple_identifier) @receiver . (navigation_suffix (simple_identifier) @reference.type) .)
] (#match? @reference.type "^[A-Z]\\w*[a-z]"))

; Functions as values: passed, stored or returned, not called.
(callable_reference . (simple_identifier) @reference.value)
(callable_reference (type_identifier) @receiver (simple_identifier) @reference.value)
(navigation_expression (this_expression) @receiver (navigation_suffix "::" (simple_identifier) @reference.value))

; Bindings of names to types and values.
(property_declaration (variable_declaration (simple_identifier) @local (user_type) @type))
(property_declaration (variable_declaration . (simple_identifier) @local .) [
  (call_expression) (simple_identifier) (navigation_expression) (as_expression)
] @value)
(parameter (simple_identifier) @local (user_type) @type)
(class_parameter (simple_identifier) @local (user_type) @type)
(lambda_parameters (variable_declaration (simple_identifier) @local))
(function_declaration (simple_identifier) @result (function_value_parameters) . (user_type) @type)

(package_header (identifier) @package)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_entry (simple_identifier) @name) @minor.const
((property_declaration (modifiers (property_modifier) @_const) (variable_declaration (simple_identifier) @name)) @minor.const
  (#eq? @_const "const"))
(property_declaration (variable_declaration (simple_identifier) @name) [(lambda_literal) (anonymous_function)]) @minor.function
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @minor.variable)
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @minor.variable
