(class_declaration name: (_) @name body: (_) @body) @definition.class
(record_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(constructor_declaration name: (_) @name body: (_) @body) @definition.method
(static_initializer "static" @name (block) @body) @definition.method
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.method

(import_declaration) @import
(line_comment) @comment
(block_comment) @comment

(method_invocation !object name: (_) @reference.call)
(method_invocation object: (_) @receiver name: (_) @reference.call)
(method_reference . (_) @receiver (identifier) @reference.value .)
((method_reference . (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
(object_creation_expression type: (type_identifier) @reference.call)
(object_creation_expression type: (generic_type . (type_identifier) @reference.call))
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .))
(object_creation_expression
  type: (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .)))
(superclass (type_identifier) @reference.base)
(superclass (generic_type . (type_identifier) @reference.base))
(super_interfaces (type_list (type_identifier) @reference.base))
(super_interfaces (type_list (generic_type . (type_identifier) @reference.base)))
(extends_interfaces (type_list (type_identifier) @reference.base))
(extends_interfaces (type_list (generic_type . (type_identifier) @reference.base)))
(superclass (scoped_type_identifier (_) @receiver (type_identifier) @reference.base .))
(superclass (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @reference.base .)))
(type_list (scoped_type_identifier (_) @receiver (type_identifier) @reference.base .))
(type_list (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @reference.base .)))
(type_identifier) @reference.type
(scoped_type_identifier (_) @receiver (type_identifier) @reference.type .)
; The type of a member: `Color.RED`.
((field_access object: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((field_access object: (_ object: (_) @receiver field: (identifier) @reference.type)) (#match? @reference.type "^[A-Z]"))
((method_invocation object: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
(marker_annotation name: (identifier) @reference.type)
(annotation name: (identifier) @reference.type)

; Bindings of names to types and values.
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local))
((local_variable_declaration type: (type_identifier) @_var declarator: (variable_declarator
  name: (identifier) @local value: (_) @value)) (#eq? @_var "var"))
(formal_parameter type: (_) @type name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement type: (_) @type name: (identifier) @local)
(resource type: (_) @type name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @member))
(method_declaration type: (_) @type name: (identifier) @result)
(enum_declaration name: (_) @type body: (enum_body (enum_constant name: (identifier) @member)))

(package_declaration (_) @package)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_constant name: (_) @name) @minor.const
(constant_declaration declarator: (variable_declarator name: (_) @name)) @minor.const
((field_declaration (modifiers) @_modifiers declarator: (variable_declarator name: (_) @name)) @minor.const
  (#match? @_modifiers "\\bstatic\\b"))
(variable_declarator name: (_) @name value: (lambda_expression)) @minor.function
(annotation_type_element_declaration name: (_) @name) @minor.method

; Fields of types, which are no symbols.
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @field))
