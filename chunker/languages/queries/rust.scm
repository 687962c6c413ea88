(function_item name: (_) @name body: (_) @body) @definition.function
(trait_item body: (declaration_list (function_signature_item name: (_) @name) @definition.function))
(struct_item name: (_) @name body: (_)? @body) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.struct
(enum_item name: (_) @name body: (_) @body) @definition.enum
(trait_item name: (_) @name body: (_) @body) @definition.trait
(impl_item type: (_) @name body: (_) @body) @definition.impl
(mod_item name: (_) @name body: (_) @body) @definition.namespace
(type_item name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.const
(static_item name: (_) @name) @definition.const
(macro_definition name: (_) @name) @definition.macro

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call))
(call_expression function: (scoped_identifier
  path: (generic_type type: (type_identifier) @receiver) name: (identifier) @reference.call))
(generic_function function: (identifier) @reference.call)
(generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
(generic_function function: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call))
(macro_invocation macro: (identifier) @reference.macro)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @reference.macro))
(token_tree (identifier) @reference.macro . "!" . (token_tree))
(token_tree (identifier) @reference.call . (token_tree))
(token_tree (identifier) @receiver . "::" . (identifier) @reference.call . (token_tree))
(token_tree [(identifier) (self)] @receiver . "." . (identifier) @reference.call . (token_tree))
; The result of a call is unknown here: its arguments with the dot are no path.
(token_tree (token_tree) @receiver . "." @receiver . (identifier) @reference.call . (token_tree))
(impl_item trait: (type_identifier) @reference.base)
(impl_item trait: (generic_type type: (type_identifier) @reference.base))
(impl_item trait: (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @reference.base))
(impl_item trait: (generic_type
  type: (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @reference.base)))
(trait_item bounds: (trait_bounds (type_identifier) @reference.base))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @reference.base)))
(trait_item bounds: (trait_bounds (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @reference.base)))
(type_identifier) @reference.type
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.type)
((scoped_identifier path: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((scoped_identifier path: (_ path: (_) @receiver name: (_) @reference.type)) (#match? @reference.type "^[A-Z]"))

; Functions as values: passed, stored or returned, not called.
(arguments (identifier) @reference.value)
(arguments (_ path: (_) @receiver name: (identifier) @reference.value))
(field_initializer value: (identifier) @reference.value)
(field_initializer value: (_ path: (_) @receiver name: (identifier) @reference.value))
(array_expression (identifier) @reference.value)
(array_expression (_ path: (_) @receiver name: (identifier) @reference.value))
(assignment_expression left: (field_expression) right: (identifier) @reference.value)
(assignment_expression left: (field_expression) right: (_ path: (_) @receiver name: (identifier) @reference.value))
(match_arm value: (identifier) @reference.value)
(match_arm value: (_ path: (_) @receiver name: (identifier) @reference.value))
; An argument of a macro: `commands!(open, close)`
(macro_invocation (token_tree ["(" "[" ","] . (identifier) @reference.value . [")" "]" ","]))

; Bindings of names to types and values.
(let_declaration pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local !type value: (_) @value)
(parameter pattern: (identifier) @local type: (_) @type)
(closure_parameters (identifier) @local)
(for_expression pattern: (identifier) @local)
(type_parameter name: (_) @generic bounds: (trait_bounds (_) @type))
(where_predicate left: (type_identifier) @generic bounds: (trait_bounds (_) @type))
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(tuple_struct_pattern type: (scoped_identifier) @value
  . [(identifier) @local (ref_pattern (identifier) @local) (mut_pattern (identifier) @local)])
((_ pattern: (tuple_struct_pattern type: (identifier) @_some
  . [(identifier) @local (ref_pattern (identifier) @local) (mut_pattern (identifier) @local)]) value: (_) @value)
  (#any-of? @_some "Some" "Ok"))
((match_expression value: (_) @value body: (match_block (match_arm pattern: (_ (tuple_struct_pattern
  type: (identifier) @_some
  . [(identifier) @local (ref_pattern (identifier) @local) (mut_pattern (identifier) @local)])))))
  (#any-of? @_some "Some" "Ok"))
(enum_variant name: (_) @variant body: (ordered_field_declaration_list . type: (_) @type))
(struct_item name: (_) @variant body: (ordered_field_declaration_list . type: (_) @type))
(struct_item name: (_) @variant body: (ordered_field_declaration_list . (visibility_modifier) . type: (_) @type))
(field_declaration name: (field_identifier) @member type: (_) @type)
(function_item name: (identifier) @result return_type: (_) @type)
(function_signature_item name: (identifier) @result return_type: (_) @type)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_variant name: (identifier) @name) @minor.const
(trait_item body: (declaration_list (associated_type name: (_) @name) @minor.type))
(let_declaration pattern: (identifier) @name value: (closure_expression)) @minor.function
; Names inside macros or made by them: `cfg_rt! { pub fn spawn() {} }`, `macro_rules! ... => { fn new() {} }`.
(token_tree "fn" . (identifier) @name @minor.function)
(token_tree "struct" . (identifier) @name @minor.struct)
(token_tree "enum" . (identifier) @name @minor.enum)
(token_tree "trait" . (identifier) @name @minor.trait)
(token_tree "type" . (identifier) @name @minor.type)
((token_tree "const" . (identifier) @name @minor.const) (#match? @name "^[A-Z][A-Z0-9_]+$"))
((token_tree "static" . (identifier) @name @minor.const) (#match? @name "^[A-Z][A-Z0-9_]+$"))
((token_tree "static" . (identifier) @_ref . (identifier) @name @minor.const) (#eq? @_ref "ref"))

; Fields of types, which are no symbols.
(field_declaration name: (field_identifier) @name) @field
