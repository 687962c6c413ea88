(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (generic_type type: (type_identifier) @scope)
    (pointer_type (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))
  ]))
  name: (field_identifier) @name body: (_)? @body) @definition.method
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
; `var _ Storager = (*LocalStorage)(nil)` says that LocalStorage implements Storager.
((var_spec name: (identifier) @_blank type: (_) value: (expression_list . [
  (call_expression function: (parenthesized_expression [(unary_expression operand: (identifier) @name) (identifier) @name]))
  (call_expression arguments: (argument_list . (type_identifier) @name))
  (unary_expression operand: (composite_literal type: (type_identifier) @name))
  (composite_literal type: (type_identifier) @name)
])) @definition.impl (#eq? @_blank "_"))
(source_file (const_declaration (const_spec name: (identifier) @name)) @definition.const)
((source_file (var_declaration (var_spec name: (identifier) @name)) @definition.variable) (#not-match? @name "^_$"))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name))) @definition.variable) (#not-match? @name "^_$"))

(import_spec) @import
(comment) @comment

(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression
  operand: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (type_instantiation_expression type: (type_identifier) @reference.call))
; With types: `load[Cart](db)`, `shop.load[Cart](db)`, `load[*Cart](db)`
(call_expression function: (index_expression operand: (identifier) @reference.call))
(call_expression function: (index_expression operand: (selector_expression
  operand: (_) @receiver field: (field_identifier) @reference.call)))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(type_conversion_expression type: (generic_type
  type: (qualified_type package: (_) @receiver name: (type_identifier) @reference.call)))
(field_declaration !name type: (type_identifier) @reference.base)
(field_declaration !name type: (pointer_type (type_identifier) @reference.base))
(field_declaration !name type: (qualified_type package: (_) @receiver name: (type_identifier) @reference.base))
(interface_type (type_elem (type_identifier) @reference.base))
(interface_type (type_elem (qualified_type package: (_) @receiver name: (type_identifier) @reference.base)))
((var_spec name: (identifier) @_blank type: (type_identifier) @reference.base) (#eq? @_blank "_"))
((var_spec name: (identifier) @_blank type: (qualified_type package: (_) @receiver name: (type_identifier) @reference.base))
  (#eq? @_blank "_"))
(type_identifier) @reference.type
(qualified_type package: (_) @receiver name: (type_identifier) @reference.type)

; Functions as values: passed, stored or returned, not called.
(argument_list (identifier) @reference.value)
(argument_list (_ operand: (identifier) @receiver field: (field_identifier) @reference.value))
(literal_value (literal_element (identifier) @reference.value))
(literal_value (literal_element (_ operand: (identifier) @receiver field: (field_identifier) @reference.value)))
(keyed_element value: (literal_element (identifier) @reference.value))
(keyed_element value: (literal_element (_ operand: (identifier) @receiver field: (field_identifier) @reference.value)))
(assignment_statement left: (expression_list (selector_expression))
  right: (expression_list (identifier) @reference.value))
(assignment_statement left: (expression_list (selector_expression))
  right: (expression_list (_ operand: (identifier) @receiver field: (field_identifier) @reference.value)))
(return_statement (expression_list (identifier) @reference.value))

; Bindings of names to types and values.
(parameter_declaration name: (identifier) @local type: (_) @type)
(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . (_) @value))
(short_var_declaration left: (expression_list (identifier) . (identifier) @local))
(var_spec name: (identifier) @local type: (_) @type)
(var_spec name: (identifier) @local !type value: (expression_list . (_) @value))
(range_clause left: (expression_list (identifier) @local))
(field_declaration name: (field_identifier) @member type: (_) @type)
(function_declaration name: (identifier) @result result: (_) @type)
(method_declaration name: (field_identifier) @result result: (_) @type)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(interface_type (method_elem name: (field_identifier) @name) @minor.method)
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (func_literal))) @minor.function
(var_spec name: (identifier) @name value: (expression_list . (func_literal))) @minor.function
(keyed_element key: (literal_element (identifier) @name) value: (literal_element (func_literal))) @minor.method

; Fields of types, which are no symbols.
(field_declaration name: (field_identifier) @name) @field
