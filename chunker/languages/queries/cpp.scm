; inherits: c_fields
(function_definition declarator: [
  (qualified_identifier name: (operator_cast)) @name
  (operator_cast) @name
  (function_declarator declarator: (qualified_identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
  (reference_declarator (function_declarator declarator: (qualified_identifier) @name))
] body: (_)? @body) @definition.method
; What a class leaves to those that extend it: `virtual int total() = 0;`.
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (_ (function_declarator declarator: (field_identifier) @name))
] default_value: (number_literal)) @definition.method
; TEST_F(Fixture, Name) { ... } is a method of a class that extends the fixture. Its name is often that of the function
; that it tests and calls.
((function_definition declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list
  . (parameter_declaration type: (type_identifier) @scope !declarator)
  . (parameter_declaration type: (type_identifier) !declarator) .)) body: (_) @body) @definition.method
  (#any-of? @name "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))

; TEST_CASE("name", "[tag]") { ... } is parsed as a call and a block.
((expression_statement (call_expression function: (identifier) @_macro arguments: [
  (argument_list . (string_literal) @name @whole)
  (argument_list . (identifier) . (string_literal) @name @whole)
])) @definition.function . (compound_statement) @body @tail
  (#match? @_macro "^(?:[A-Z]+_)*(?:TEST_CASE|SCENARIO)(?:_[A-Z]+)*$"))

(function_definition declarator: [
  (function_declarator declarator: (_) @name)
  (pointer_declarator declarator: (function_declarator declarator: (_) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
  (reference_declarator (function_declarator declarator: (_) @name))
] body: (_)? @body) @definition.function

(class_specifier name: (_) @name body: (_) @body) @definition.class
(type_definition type: (struct_specifier name: (_) @name body: (_) @body)) @definition.struct
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(namespace_definition name: (_) @name body: (_) @body) @definition.package
(namespace_definition !name body: (_)) @definition.package
(template_declaration [
  (function_definition) (class_specifier) (struct_specifier) (union_specifier)
  (alias_declaration) (concept_definition) (declaration) (template_declaration) (friend_declaration)
] @wrapped) @wrap
(friend_declaration (function_definition) @wrapped) @wrap

(preproc_def name: (_) @name value: (_)) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

([(translation_unit (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (qualified_identifier) @name
    (_ declarator: [(identifier) (qualified_identifier)] @name)
    (_ declarator: (_ declarator: (identifier) @name))
  ])) @definition.variable)
  (declaration_list (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (qualified_identifier) @name
    (_ declarator: [(identifier) (qualified_identifier)] @name)
    (_ declarator: (_ declarator: (identifier) @name))
  ])) @definition.variable)])
(preproc_ifdef (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(preproc_if (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(template_declaration (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
; int (*run)(int);
(declaration declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (identifier) @name))))) @definition.variable
; struct { ... } name;
(translation_unit (declaration type: (struct_specifier !name body: (_) @body)
  declarator: (identifier) @name) @definition.struct)

(preproc_include) @import
(comment) @comment

(call_expression function: (identifier) @reference.call)
(call_expression function: (template_function name: (identifier) @reference.call))
(call_expression function: (_ argument: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (_ argument: (_) @receiver field: (_ name: (field_identifier) @reference.call)))
(call_expression function: (qualified_identifier scope: (_)? @receiver
  name: [(identifier) @reference.call (_ !scope name: (identifier) @reference.call)]))
(call_expression function: (_ name: (_ scope: (_) @receiver
  name: [(identifier) @reference.call (_ !scope name: (identifier) @reference.call)])))
(call_expression function: (_ name: (_ name: (_
  scope: (_) @receiver name: [(identifier) @reference.call (_ !scope name: (identifier) @reference.call)]))))
(base_class_clause (type_identifier) @reference.base)
(base_class_clause (template_type name: (type_identifier) @reference.base))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.base))
(base_class_clause (qualified_identifier
  scope: (_) @receiver name: (template_type name: (type_identifier) @reference.base)))
(base_class_clause (_ name: (qualified_identifier scope: (_) @receiver name: [
  (type_identifier) @reference.base (template_type name: (type_identifier) @reference.base)])))
(type_identifier) @reference.type
(qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.type)
; The type of a member: `Color::RED`.
((qualified_identifier scope: (namespace_identifier) @reference.type) (#match? @reference.type "^[A-Z]"))

; Functions as values: passed, stored or returned, not called.
(argument_list (identifier) @reference.value)
(argument_list (pointer_expression "&" argument: (identifier) @reference.value))
(argument_list (pointer_expression "&" argument: (_ scope: (_) @receiver name: (identifier) @reference.value)))
(initializer_list (identifier) @reference.value)
(initializer_list (pointer_expression "&" argument: (identifier) @reference.value))
(initializer_list (pointer_expression "&" argument: (_ scope: (_) @receiver name: (identifier) @reference.value)))
(initializer_pair value: (identifier) @reference.value)
(initializer_pair value: (pointer_expression "&" argument: (identifier) @reference.value))
(assignment_expression left: [(field_expression) (subscript_expression)] right: (identifier) @reference.value)
(assignment_expression left: [(field_expression) (subscript_expression)]
  right: (pointer_expression "&" argument: (identifier) @reference.value))

; Bindings of names to types and values.
(namespace_alias_definition name: (_) @local [(namespace_identifier) (nested_namespace_specifier)] @type .)
(declaration type: (_) @type declarator: [
  (identifier) @local
  (init_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (init_declarator declarator: (reference_declarator (identifier) @local))
])
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
] value: (_) @value))
(condition_clause value: (declaration type: (placeholder_type_specifier) declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
] value: (_) @value))
(parameter_declaration type: (_) @type declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
])
(for_range_loop declarator: [(identifier) @local (reference_declarator (identifier) @local)])
(for_range_loop type: (type_identifier) @type declarator: [
  (identifier) @local (pointer_declarator (identifier) @local) (reference_declarator (identifier) @local)
])
; In a function, `Cart cart(shop);` is a variable, although it could declare a function.
(compound_statement (declaration type: (_) @type declarator: (function_declarator declarator: (identifier) @local)))
(structured_binding_declarator (identifier) @local)
(optional_parameter_declaration declarator: [
  (identifier) @local (_ declarator: (identifier) @local) (reference_declarator (identifier) @local)
])
(parenthesized_declarator [
  (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)
])
(array_declarator declarator: (identifier) @local)
(field_declaration type: (_) @type declarator: [
  (field_identifier) @member
  (pointer_declarator declarator: (field_identifier) @member)
  (reference_declarator (field_identifier) @member)
  (function_declarator declarator: (field_identifier) @member)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @member))
  (reference_declarator (function_declarator declarator: (field_identifier) @member))
])
(function_definition type: (_) @type declarator: [
  (function_declarator declarator: (_) @result)
  (pointer_declarator declarator: (function_declarator declarator: (_) @result))
  (reference_declarator (function_declarator declarator: (_) @result))
])

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enumerator name: (identifier) @name) @minor.const
(preproc_def name: (_) @name !value) @minor.macro
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @minor.type
(type_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))) @minor.type
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: (field_identifier) @name))
]) @minor.method
((field_declaration (storage_class_specifier) @_static declarator: (field_identifier) @name) @minor.const
  (#eq? @_static "static"))
(init_declarator declarator: (identifier) @name value: (lambda_expression)) @minor.function
; Names that macros define: TEST(Suite, Name) { ... }, BENCHMARK(name) { ... }
((function_definition !type declarator: (function_declarator declarator: (identifier) @_macro parameters: (parameter_list
  (parameter_declaration type: (type_identifier) @name !declarator) .))) @minor.function
  (#match? @_macro "^[A-Z][A-Z0-9_]*$"))
((translation_unit (expression_statement (call_expression
  function: (identifier) @_macro arguments: (argument_list (identifier) @name))) @minor.function)
  (#match? @_macro "^[A-Z0-9_]*(?:DEFINE|DECLARE)[A-Z0-9_]*$"))

; Fields that are references.
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field
