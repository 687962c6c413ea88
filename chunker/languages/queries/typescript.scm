; inherits: ecma
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(function_signature name: (_) @name) @definition.function
(class_body (method_signature name: (_) @name) @definition.method)
(class_body (abstract_method_signature name: (_) @name) @definition.method)
(class_body (public_field_definition name: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (call_expression arguments: (arguments . [  ; debounce(() => { ... }, 300)
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]))
]) @definition.method)
(internal_module name: (_) @name body: (_) @body) @definition.namespace
(module name: (_) @name body: (_) @body) @definition.namespace
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name))) @definition.const
(ambient_declaration (_) @wrapped) @wrap

(class_heritage (extends_clause value: (identifier) @reference.base))
(class_heritage (extends_clause value: (member_expression
  object: (_) @receiver property: (property_identifier) @reference.base)))
(implements_clause (type_identifier) @reference.base)
(implements_clause (generic_type name: (type_identifier) @reference.base))
(implements_clause (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.base))
(implements_clause (generic_type
  name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.base)))
(extends_type_clause (type_identifier) @reference.base)
(extends_type_clause (generic_type name: (type_identifier) @reference.base))
(extends_type_clause (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.base))
(extends_type_clause (generic_type
  name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.base)))
(type_identifier) @reference.type
(nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.type)

; Bindings of names to types and values.
(variable_declarator name: (identifier) @local type: (type_annotation) @type)
(variable_declarator name: (identifier) @local !type value: [(as_expression) (non_null_expression)] @value)
(required_parameter pattern: (identifier) @local type: (type_annotation) @type)
(required_parameter pattern: (identifier) @local !type)
(required_parameter pattern: (object_pattern) @part type: (type_annotation) @type)
(required_parameter pattern: (object_pattern) type: (type_annotation (object_type
  (property_signature name: (property_identifier) @local type: (type_annotation) @type))))
(optional_parameter pattern: (identifier) @local type: (type_annotation) @type)
(required_parameter (accessibility_modifier) pattern: (identifier) @member type: (type_annotation) @type)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @member type: (type_annotation) @type)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @member !type value: [
  (new_expression) (call_expression) (identifier) (member_expression) (as_expression)
] @value)
(property_signature name: (property_identifier) @member type: (type_annotation) @type)
(function_declaration name: (identifier) @result return_type: (type_annotation) @type)
(method_definition name: (property_identifier) @result return_type: (type_annotation) @type)
(variable_declarator name: (identifier) @result value: (arrow_function return_type: (type_annotation) @type))

(method_signature name: (_) @name) @minor.method
(abstract_method_signature name: (_) @name) @minor.method
(property_signature name: (_) @name type: (type_annotation (function_type))) @minor.method
((public_field_definition name: (_) @name) @minor.const (#match? @name "^#?_*[A-Z][A-Z0-9_]+$"))
(enum_body name: (_) @name @minor.const)
(enum_assignment name: (_) @name) @minor.const

; Fields of types, which are no symbols.
(property_signature name: (_) @name) @field
(public_field_definition name: (_) @name) @field
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
