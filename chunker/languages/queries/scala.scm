(class_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(object_definition name: (_) @name body: (_)? @body) @definition.class
(package_object name: (_) @name body: (_)? @body) @definition.package
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
(function_definition name: (_) @name body: (_)? @body) @definition.function
(function_declaration name: (_) @name) @definition.function
(given_definition name: (_) @name body: (_)? @body) @definition.class
(given_definition !name return_type: (_) @name body: (_) @body) @definition.impl
(type_definition name: (_) @name) @definition.type
(compilation_unit (val_definition pattern: (identifier) @name) @definition.const)
(compilation_unit (var_definition pattern: (identifier) @name) @definition.variable)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @definition.const))
(object_definition body: (template_body (var_definition pattern: (identifier) @name) @definition.variable))
(package_clause body: (_)) @definition.package
(extension_definition body: (function_definition) @wrapped) @wrap

(import_declaration) @import
(comment) @comment
(block_comment) @comment

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @reference.call))
(generic_function function: (identifier) @reference.call)
(generic_function function: (field_expression value: (_) @receiver field: (identifier) @reference.call))
; A method without parameters is called by its name alone; so is one between two operands.
((field_expression value: (_) @receiver field: (identifier) @reference.call)
  (#match? @reference.call "^([a-z_]|[A-Z0-9_]+$)"))
(infix_expression left: (_) @receiver operator: (identifier) @reference.call)
(postfix_expression . (_) @receiver . (identifier) @reference.call .)
([
  (field_expression value: (identifier) @bare)
  (infix_expression left: (identifier) @bare)
  (infix_expression right: (identifier) @bare)
  (function_definition body: (identifier) @bare)
  (case_clause body: (identifier) @bare)
  (if_expression consequence: (identifier) @bare)
  (if_expression alternative: (identifier) @bare)
  (val_definition value: (identifier) @bare)
  (var_definition value: (identifier) @bare)
  (assignment_expression right: (identifier) @bare)
  (match_expression value: (identifier) @bare)
  (block (identifier) @bare)
  (indented_block (identifier) @bare)
  (parenthesized_expression (identifier) @bare)
  (tuple_expression (identifier) @bare)
  (prefix_expression (identifier) @bare)
  (interpolation (identifier) @bare)
] (#match? @bare "^([a-z_]|[A-Z0-9_]+$)"))
(instance_expression (type_identifier) @reference.call)
(instance_expression (generic_type type: (type_identifier) @reference.call))
(instance_expression (stable_type_identifier . (_) @receiver (type_identifier) @reference.call .))
(instance_expression (generic_type
  type: (stable_type_identifier . (_) @receiver (type_identifier) @reference.call .)))
(extends_clause (type_identifier) @reference.base)
(extends_clause (generic_type type: (type_identifier) @reference.base))
(extends_clause (stable_type_identifier . (_) @receiver (type_identifier) @reference.base .))
(extends_clause (generic_type
  type: (stable_type_identifier . (_) @receiver (type_identifier) @reference.base .)))
; What a trait is mixed into has these members, too: `self: Carts with Prices =>`
(self_type) @demands
(stable_type_identifier . (_) @receiver (type_identifier) @reference.type .)
(type_identifier) @reference.type
; The type of a member: `Color.RED`.
((field_expression value: (identifier) @reference.type) (#match? @reference.type "^[A-Z]\\w*[a-z]"))
((field_expression value: (_ value: (_) @receiver field: (identifier) @reference.type)) (#match? @reference.type "^[A-Z]\\w*[a-z]"))
((stable_identifier (identifier) @reference.type . (identifier)) (#match? @reference.type "^[A-Z]\\w*[a-z]"))
((infix_expression right: (identifier) @reference.type) (#match? @reference.type "^[A-Z]\\w*[a-z]"))
((case_clause pattern: (identifier) @reference.type) (#match? @reference.type "^[A-Z]\\w*[a-z]"))

; Functions as values: passed, stored or returned, not called.
(arguments (identifier) @reference.value)
(arguments (_ value: (identifier) @receiver field: (identifier) @reference.value))
(arguments (postfix_expression (identifier) @reference.value . (identifier)))
(arguments (postfix_expression (_ value: (identifier) @receiver field: (identifier) @reference.value) . (identifier)))

; Bindings of names to types and values.
(val_definition pattern: (identifier) @local type: (_) @type)
(val_definition pattern: (identifier) @local !type value: [(call_expression) (instance_expression) (identifier) (field_expression)] @value)
(var_definition pattern: (identifier) @local type: (_) @type)
(var_definition pattern: (identifier) @local !type value: [(call_expression) (instance_expression) (identifier) (field_expression)] @value)
(val_declaration name: (identifier) @local type: (_) @type)
(var_declaration name: (identifier) @local type: (_) @type)
(parameter name: (identifier) @local type: (_) @type)
(class_parameter name: (identifier) @local type: (_) @type)
(lambda_expression parameters: (identifier) @local)
(bindings (binding name: (identifier) @local))
(tuple_pattern (identifier) @local)
(case_class_pattern pattern: (identifier) @local)
(case_clause pattern: (identifier) @local)
(val_definition pattern: (identifier) @local !type)
(function_definition name: (identifier) @result return_type: (_) @type)

(package_clause name: (_) @package)
; package shop
; package cart
(compilation_unit (package_clause !body) (package_clause !body name: (_) @package.inner))
(package_object name: (_) @package.inner)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(val_definition pattern: (identifier) @name value: (lambda_expression)) @minor.function
(template_body (val_definition pattern: (identifier) @name) @minor.const)
(template_body (var_definition pattern: (identifier) @name) @minor.variable)
(template_body (val_declaration name: (identifier) @name) @minor.const)
(simple_enum_case name: (identifier) @name) @minor.const
(full_enum_case name: (identifier) @name) @minor.const

; Fields of types, which are no symbols.
(class_parameter name: (identifier) @name) @field
