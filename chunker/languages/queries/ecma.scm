; Patterns that JavaScript and TypeScript share.
(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(class_body (method_definition name: (_) @name body: (_) @body) @definition.method)

(lexical_declaration (variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
])) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
])) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @definition.class

; module.exports = function parse() {}
((expression_statement (assignment_expression left: (member_expression) @name right: (function_expression
  name: (_) @name body: (_) @body))) @definition.function (#eq? @name "module.exports"))
((expression_statement (assignment_expression left: (member_expression) @name right: (class
  name: (_) @name body: (_) @body))) @definition.class (#eq? @name "module.exports"))
; exports.parse = function () {}, Parser.prototype.next = function () {}, app.use = () => {}
((expression_statement (assignment_expression left: (member_expression) @name right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
])) @definition.method (#match? @name "\\.prototype\\."))
(expression_statement (assignment_expression left: (member_expression) @name right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
])) @definition.function
; res.set = res.header = function header() {}
(expression_statement (assignment_expression left: (member_expression) @name right: (assignment_expression right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]))) @definition.function
(expression_statement (assignment_expression right: (assignment_expression left: (member_expression) @name right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]))) @definition.function
(expression_statement (assignment_expression left: (member_expression) @name right: (class body: (_) @body))) @definition.class

; Methods of the objects that a module declares or exports; objects inside calls are arguments, not symbols.
(program (_ (variable_declarator value: (object
  (method_definition name: (_) @name body: (_) @body) @definition.method))))
(program (_ (variable_declarator value: (object
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))))
(program (export_statement (_ (variable_declarator value: (object
  (method_definition name: (_) @name body: (_) @body) @definition.method)))))
(program (export_statement (_ (variable_declarator value: (object
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method)))))
(program (expression_statement (assignment_expression right: (object
  (method_definition name: (_) @name body: (_) @body) @definition.method))))
(program (expression_statement (assignment_expression right: (object
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))))
(program (export_statement value: (object
  (method_definition name: (_) @name body: (_) @body) @definition.method)))
(program (export_statement value: (object
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method)))
(program (export_statement value: (object (pair value: (object
  (method_definition name: (_) @name body: (_) @body) @definition.method)))))

(export_statement "default" @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)
]) @definition.function
(export_statement "default" @name value: [
  (call_expression) (binary_expression) (new_expression) (parenthesized_expression)
]) @definition.const

(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @definition.const)
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @definition.const)
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.variable)

(export_statement declaration: (_) @wrapped) @wrap
(import_statement) @import
(export_statement source: (_)) @import
((lexical_declaration (variable_declarator value: [
  (call_expression function: (identifier) @_require)
  (member_expression object: (call_expression function: (identifier) @_require))
])) @import (#eq? @_require "require"))
((variable_declaration (variable_declarator value: [
  (call_expression function: (identifier) @_require)
  (member_expression object: (call_expression function: (identifier) @_require))
])) @import (#eq? @_require "require"))
((program (expression_statement (call_expression function: (identifier) @_require) @import))
  (#eq? @_require "require"))
(comment) @comment
(decorator) @attribute

(call_expression function: (identifier) @reference.call)
(call_expression function: (_
  object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (_ object: (_) @receiver property: (property_identifier) @reference.call))
; The type of a member: `Color.RED`.
((member_expression object: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((binary_expression "instanceof" right: (identifier) @reference.type))

; Functions and classes as values: passed, stored or returned, not called.
(arguments (identifier) @reference.value)
(arguments (_ object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value))
(pair value: (identifier) @reference.value)
(pair value: (_ object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value))
(object (shorthand_property_identifier) @reference.value)
(array (identifier) @reference.value)
(assignment_expression left: [(member_expression) (subscript_expression)] right: (identifier) @reference.value)
(assignment_expression left: [(member_expression) (subscript_expression)]
  right: (_ object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value))
(return_statement (identifier) @reference.value)

; Bindings of names to types and values.
(variable_declarator name: (identifier) @local value: [
  (new_expression) (call_expression) (identifier) (member_expression) (await_expression) (this)
] @value)
(variable_declarator name: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(variable_declarator name: (object_pattern) @part value: [
  (new_expression) (call_expression) (identifier) (member_expression) (await_expression)
] @value)
(array_pattern (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(assignment_expression left: (member_expression
  object: (this) property: [(property_identifier) (private_property_identifier)] @member) right: [
  (new_expression) (call_expression) (identifier) (member_expression) (await_expression)
] @value)
; What a module exports as a whole.
(export_statement "default" @local value: (identifier) @value)
(export_statement "default" @local declaration: (_ name: (_) @value))
((export_specifier name: (_) @value alias: (_) @local) (#eq? @local "default"))
((assignment_expression left: (member_expression) @local right: [
  (identifier) @value
  (assignment_expression right: (identifier) @value)
  (function_expression name: (_) @value)
  (class name: (_) @value)
]) (#eq? @local "module.exports"))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(pair key: [(property_identifier) (string)] @name value: [
  (arrow_function) (function_expression) (generator_function)
]) @minor.method
(object (method_definition name: [(property_identifier) (string) (private_property_identifier)] @name) @minor.method)
(function_expression name: (identifier) @name) @minor.function
(generator_function name: (identifier) @name) @minor.function
(class name: (_) @name) @minor.class
(assignment_expression left: (member_expression) @name right: [
  (arrow_function) (function_expression) (generator_function)
]) @minor.function

; Fields of types, which are no symbols.
(assignment_expression left: (member_expression
  object: (this) property: [(property_identifier) (private_property_identifier)] @name)) @field
