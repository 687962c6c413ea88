(class_declaration name: (_) @name body: (_)? @body) @definition.class
(record_declaration name: (_) @name body: (_)? @body) @definition.class
(struct_declaration name: (_) @name body: (_)? @body) @definition.struct
(interface_declaration name: (_) @name body: (_)? @body) @definition.interface
(enum_declaration name: (_) @name body: (_)? @body) @definition.enum
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(constructor_declaration name: (_) @name body: (_)? @body) @definition.method
(operator_declaration operator: _ @name body: (_)? @body) @definition.method
(conversion_operator_declaration ["implicit" "explicit"] @name body: (_)? @body) @definition.method
(indexer_declaration "this" @name accessors: (_)? @body) @definition.method
(local_function_statement name: (_) @name body: (_)? @body) @definition.function
(property_declaration name: (_) @name accessors: (_)? @body) @definition.variable
(namespace_declaration name: (_) @name body: (_) @body) @definition.package
(file_scoped_namespace_declaration name: (_) @name) @definition.package

(using_directive) @import
(comment) @comment

(invocation_expression function: (identifier) @reference.call)
(invocation_expression function: (generic_name . (identifier) @reference.call))
(invocation_expression function: (_ expression: _ @receiver name: (identifier) @reference.call))
(invocation_expression function: (_ expression: _ @receiver name: (_ . (identifier) @reference.call)))
(invocation_expression function: (_ condition: (_) @receiver (_ name: (identifier) @reference.call)))
(object_creation_expression type: (identifier) @reference.call)
(object_creation_expression type: (generic_name . (identifier) @reference.call))
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call))
(object_creation_expression
  type: (qualified_name qualifier: (_) @receiver name: (generic_name . (identifier) @reference.call)))
(base_list (identifier) @reference.base)
(base_list (generic_name . (identifier) @reference.base))
(base_list (qualified_name qualifier: (_) @receiver name: (identifier) @reference.base))
(base_list (qualified_name qualifier: (_) @receiver name: (generic_name . (identifier) @reference.base)))
(primary_constructor_base_type type: (identifier) @reference.base)
(primary_constructor_base_type type: (generic_name . (identifier) @reference.base))
(primary_constructor_base_type type: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.base))
(attribute name: (identifier) @reference.attribute)
(attribute name: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.attribute))
(as_expression right: (identifier) @reference.type)
(constant_pattern (identifier) @reference.type)
(explicit_interface_specifier (identifier) @reference.type)
(_ type: (identifier) @reference.type)
(_ type: (nullable_type (identifier) @reference.type))
(_ type: (array_type (identifier) @reference.type))
(method_declaration returns: (identifier) @reference.type)
(generic_name . (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(_ type: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.type))
(_ returns: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.type))
(type_argument_list (qualified_name qualifier: (_) @receiver name: (identifier) @reference.type))
; The type of a member: `Color.RED`.
((member_access_expression expression: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]") (#not-match? @reference.type "^System$"))
((member_access_expression expression: (_ expression: (_) @receiver name: (identifier) @reference.type)) (#match? @reference.type "^[A-Z]"))

; Functions as values: passed, stored or returned, not called.
((argument (identifier) @reference.value) (#match? @reference.value "^[A-Z]"))
((argument (_ expression: [(identifier) "this"] @receiver name: (identifier) @reference.value))
  (#match? @reference.value "^[A-Z]"))
((assignment_expression right: (identifier) @reference.value) (#match? @reference.value "^[A-Z]"))
((assignment_expression right: (_ expression: [(identifier) "this"] @receiver name: (identifier) @reference.value))
  (#match? @reference.value "^[A-Z]"))
((initializer_expression (identifier) @reference.value) (#match? @reference.value "^[A-Z]"))
((initializer_expression (_ expression: [(identifier) "this"] @receiver name: (identifier) @reference.value))
  (#match? @reference.value "^[A-Z]"))
((return_statement (identifier) @reference.value) (#match? @reference.value "^[A-Z]"))

; Bindings of names to types and values.
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @local))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local (_) @value))
(parameter type: (_) @type name: (identifier) @local)
; Next to each other: what an interface has (`ITotal ICart.Total`) is no member of the class.
(property_declaration type: (_) @type . name: (identifier) @result)
(method_declaration returns: (_) @type . name: (identifier) @result)
(method_declaration name: (identifier) @extension
  parameters: (parameter_list . (parameter (modifier) @_this type: (_) @type))
  (#eq? @_this "this"))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_member_declaration name: (identifier) @name) @minor.const
((field_declaration (modifier) @_modifier (variable_declaration (variable_declarator name: (identifier) @name))) @minor.const
  (#any-of? @_modifier "const" "static"))
(variable_declarator name: (identifier) @name (lambda_expression)) @minor.function
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @minor.variable
(event_declaration name: (identifier) @name) @minor.variable

; Fields of types, which are no symbols.
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(record_declaration (parameter_list (parameter name: (identifier) @name) @field))
