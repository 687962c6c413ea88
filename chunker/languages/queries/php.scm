(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(trait_declaration name: (_) @name body: (_) @body) @definition.trait
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(function_definition name: (_) @name body: (_) @body) @definition.function
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(expression_statement (assignment_expression left: (variable_name (name) @name) right: [
  (anonymous_function body: (_) @body)
  (arrow_function body: (_) @body)
])) @definition.function
(program (const_declaration (const_element (name) @name)) @definition.const)
((program (expression_statement (function_call_expression
  function: (name) @_define arguments: (arguments . (argument (_ (string_content) @name))))) @definition.const)
  (#eq? @_define "define"))
(namespace_definition name: (_) @name body: (_) @body) @definition.package

(namespace_use_declaration) @import
(expression_statement [
  (require_expression) (require_once_expression) (include_expression) (include_once_expression)
]) @import
(comment) @comment

(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name . _+ @receiver (name) @reference.call))
(member_call_expression object: (_) @receiver name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (name) @reference.type)
(scoped_property_access_expression scope: (name) @reference.type)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name . _+ @receiver (name) @reference.call))
(base_clause (name) @reference.base)
(base_clause (qualified_name . _+ @receiver (name) @reference.base))
(class_interface_clause (name) @reference.base)
(class_interface_clause (qualified_name . _+ @receiver (name) @reference.base))
(use_declaration (name) @reference.base)
; The class that a facade stands for.
((method_declaration name: (name) @_accessor body: (compound_statement (return_statement
  (class_constant_access_expression . [(name) @reference.base (qualified_name . _+ @receiver (name) @reference.base)]))))
  (#eq? @_accessor "getFacadeAccessor"))
(use_declaration (qualified_name . _+ @receiver (name) @reference.base))
(named_type (name) @reference.type)
(qualified_name . _+ @receiver (name) @reference.type)
(class_constant_access_expression . (name) @reference.type)
(binary_expression operator: "instanceof" right: (name) @reference.type)
(attribute (name) @reference.type)

; Functions as values: passed, stored or returned, not called.
(array_creation_expression
  . (array_element_initializer (class_constant_access_expression . [(name) (qualified_name)] @receiver))
  . (array_element_initializer (string (string_content) @reference.value)) .)
((array_creation_expression
  . (array_element_initializer (variable_name) @receiver)
  . (array_element_initializer (string (string_content) @reference.value)) .) (#eq? @receiver "$this"))

; Bindings of names to types and values.
(simple_parameter type: (_) @type name: (variable_name) @local)
(simple_parameter !type name: (variable_name) @local)
(catch_clause type: (_) @type name: (variable_name) @local)
; A field of a built-in type has no methods; one may have its name.
(property_promotion_parameter
  type: [(named_type) (optional_type (named_type)) (union_type)] @type name: (variable_name) @member)
(property_declaration
  type: [(named_type) (optional_type (named_type)) (union_type)] @type (property_element (variable_name) @member))
((comment) @type . (property_declaration !type (property_element (variable_name) @member)))
((comment) @type . (expression_statement (assignment_expression left: (variable_name) @local)))
(enum_declaration name: (_) @type body: (enum_declaration_list (enum_case name: (name) @member)))
(assignment_expression left: (variable_name) @local right: (_) @value)
((assignment_expression left: (member_access_expression object: (variable_name) @_this name: (name) @member)
  right: (_) @value) (#eq? @_this "$this"))
(method_declaration name: (name) @result return_type: (_) @type)
(function_definition name: (name) @result return_type: (_) @type)
((comment) @type . (method_declaration !return_type name: (name) @result))
((comment) @type . (function_definition !return_type name: (name) @result))

(namespace_definition name: (_) @package)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(const_element (name) @name) @minor.const
(enum_case name: (name) @name) @minor.const
(assignment_expression left: (variable_name (name) @name) right: [(anonymous_function) (arrow_function)]) @minor.function
(assignment_expression left: (member_access_expression name: (name) @name)
  right: [(anonymous_function) (arrow_function)]) @minor.method
(array_element_initializer (string (string_content) @name) . [(anonymous_function) (arrow_function)]) @minor.method
((function_call_expression function: (name) @_define
  arguments: (arguments . (argument (_ (string_content) @name)))) @minor.const (#eq? @_define "define"))

; Fields of types, which are no symbols.
(property_element (variable_name (name) @name)) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
