(function_definition name: (identifier) @name body: (block . (string)? @doc) @body) @definition.function
(class_definition name: (identifier) @name body: (block . (string)? @doc) @body) @definition.class
(decorated_definition definition: (_) @wrapped) @wrap
(type_alias_statement left: (type (identifier) @name)) @definition.type
((module (assignment left: (identifier) @name) @definition.const)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment left: (pattern_list (identifier) @name)) @definition.variable)

(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(comment) @comment

(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(class_definition superclasses: (argument_list [
  (identifier) @reference.base
  (attribute object: (_) @receiver attribute: (identifier) @reference.base)
  (subscript value: (identifier) @reference.base)
  (subscript value: (attribute object: (_) @receiver attribute: (identifier) @reference.base))
]))
(type (identifier) @reference.type)
(type (attribute object: (_) @receiver attribute: (identifier) @reference.type))
(type (generic_type (identifier) @reference.type))
(type (subscript value: (identifier) @reference.type))
(type (binary_operator (identifier) @reference.type))
(type (binary_operator (attribute object: (_) @receiver attribute: (identifier) @reference.type)))
((type (string (string_content) @reference.type)) (#match? @reference.type "^[A-Za-z_]+$"))
(except_clause (identifier) @reference.type)
; The type of a member: `Color.RED`.
((attribute object: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((attribute object: (_ object: (_) @receiver attribute: (identifier) @reference.type)) (#match? @reference.type "^[A-Z]"))
((assignment left: (identifier) right: (identifier) @reference.type) (#match? @reference.type "^[A-Z]\\w*[a-z]"))
(except_clause (attribute object: (_) @receiver attribute: (identifier) @reference.type))
(except_clause (as_pattern (identifier) @reference.type))
(except_clause (as_pattern (attribute object: (_) @receiver attribute: (identifier) @reference.type)))
(except_clause (tuple (identifier) @reference.type))

; Functions as values: passed, stored or returned, not called.
(argument_list (identifier) @reference.value)
(argument_list (_ object: (identifier) @receiver attribute: (identifier) @reference.value))
(keyword_argument value: (identifier) @reference.value)
(keyword_argument value: (_ object: (identifier) @receiver attribute: (identifier) @reference.value))
(pair value: (identifier) @reference.value)
(pair value: (_ object: (identifier) @receiver attribute: (identifier) @reference.value))
(list (identifier) @reference.value)
(list (_ object: (identifier) @receiver attribute: (identifier) @reference.value))
(tuple (identifier) @reference.value)
(tuple (_ object: (identifier) @receiver attribute: (identifier) @reference.value))
(assignment left: [(attribute) (subscript)] right: (identifier) @reference.value)
(assignment left: [(attribute) (subscript)]
  right: (_ object: (identifier) @receiver attribute: (identifier) @reference.value))
(return_statement (identifier) @reference.value)

; Bindings of names to types and values.
(assignment left: (identifier) @local !type right: [
  (call) (identifier) (attribute) (await) (list) (dictionary) (list_comprehension) (subscript) (binary_operator)
  (boolean_operator) (conditional_expression)
] @value)
(assignment left: (identifier) @local type: (type) @type)
(assignment left: (pattern_list (identifier) @local))
(named_expression name: (identifier) @local value: (_) @value)
(parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter . (identifier) @local type: (type) @type)
(typed_default_parameter name: (identifier) @local type: (type) @type)
(lambda_parameters (identifier) @local)
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(as_pattern (_) @value alias: (as_pattern_target (identifier) @local))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @member)
  !type right: [(call) (identifier) (attribute) (await)] @value) (#eq? @_self "self"))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @member) type: (type) @type)
  (#eq? @_self "self"))
(function_definition name: (identifier) @result return_type: (type) @type)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
((class_definition body: (block (assignment left: (identifier) @name) @minor.const))
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
; Constants that a module sets under a condition; functions and classes have a name, or are a definition with decorators.
((module (_ !name !definition [(block (assignment left: (identifier) @name) @minor.const)
             (_ (block (assignment left: (identifier) @name) @minor.const))]))
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(assignment left: [(identifier) (attribute)] @name right: (lambda)) @minor.function
((module (assignment left: (attribute) @name right: [(identifier) (attribute)]) @minor.function)
  (#match? @name "^[A-Z]\\w*\\.\\w+$"))

; What a package offers: a reader who renames it must change the text, too.
((module (assignment left: (identifier) @_all right: [
  (list (string (string_content) @reference.value))
  (tuple (string (string_content) @reference.value))
])) (#eq? @_all "__all__"))

; Fields of types, which are no symbols.
(class_definition body: (block (assignment left: (identifier) @name) @field))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)) @field (#eq? @_self "self"))
