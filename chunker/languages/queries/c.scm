; inherits: c_fields
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
] body: (_) @body) @definition.function
; PHP_FUNCTION(strlen) { ... }
((function_definition type: (type_identifier) @_macro declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @definition.function (#match? @_macro "^[A-Z][A-Z0-9_]*$"))

; typedef struct tag { ... } name; defines both names at once.
(type_definition type: (struct_specifier name: (_) @name body: (_) @body)) @definition.struct
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier name: (_) @name body: (_) @body)) @definition.struct
(type_definition type: (union_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier name: (_) @name body: (_) @body)) @definition.enum
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum

(preproc_def name: (_) @name value: (_)) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(translation_unit (declaration declarator: (init_declarator
  declarator: (_ declarator: (identifier) @name))) @definition.variable)
(translation_unit (declaration declarator: (init_declarator
  declarator: (_ declarator: (_ declarator: (identifier) @name)))) @definition.variable)
; int (*run)(int);
(declaration declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (identifier) @name))))) @definition.variable
(declaration declarator: (init_declarator declarator: (_ declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))))) @definition.variable
; struct { ... } name;
(translation_unit (declaration type: (struct_specifier !name body: (_) @body)
  declarator: (identifier) @name) @definition.struct)
([(preproc_ifdef (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
  (preproc_if (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)])
([(preproc_ifdef (declaration declarator: (init_declarator
    declarator: (_ declarator: (identifier) @name))) @definition.variable)
  (preproc_if (declaration declarator: (init_declarator
    declarator: (_ declarator: (identifier) @name))) @definition.variable)])

(preproc_include) @import
(comment) @comment

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))
(type_identifier) @reference.type

; Functions as values: passed, stored or returned, not called.
(argument_list (identifier) @reference.value)
(argument_list (pointer_expression "&" argument: (identifier) @reference.value))
(initializer_list (identifier) @reference.value)
(initializer_list (pointer_expression "&" argument: (identifier) @reference.value))
(initializer_pair value: (identifier) @reference.value)
(initializer_pair value: (pointer_expression "&" argument: (identifier) @reference.value))
(assignment_expression left: [(field_expression) (subscript_expression)] right: (identifier) @reference.value)
(assignment_expression left: [(field_expression) (subscript_expression)]
  right: (pointer_expression "&" argument: (identifier) @reference.value))

; Names that are bound inside functions.
(init_declarator declarator: (identifier) @local)
(pointer_declarator declarator: (identifier) @local)
(array_declarator declarator: (identifier) @local)
(parameter_declaration declarator: (identifier) @local)
(declaration declarator: (identifier) @local)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enumerator name: (identifier) @name) @minor.const
(preproc_def name: (_) @name !value) @minor.macro
; Variables of a file without a value; `extern` only declares them.
(translation_unit (declaration . type: (_) declarator: (identifier) @name) @minor.variable)
(translation_unit (declaration . type: (_) declarator: (pointer_declarator declarator: (identifier) @name)) @minor.variable)
(translation_unit (declaration . type: (_) declarator: (array_declarator declarator: (identifier) @name)) @minor.variable)
((translation_unit (declaration . (storage_class_specifier) @_static declarator: (identifier) @name) @minor.variable)
  (#eq? @_static "static"))
((translation_unit (declaration . (storage_class_specifier) @_static
  declarator: (pointer_declarator declarator: (identifier) @name)) @minor.variable) (#eq? @_static "static"))
((translation_unit (declaration . (storage_class_specifier) @_static
  declarator: (array_declarator declarator: (identifier) @name)) @minor.variable) (#eq? @_static "static"))
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @minor.type
(type_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))) @minor.type
; Names that macros define: DEFINE_HANDLER(int, open) { ... }, DECLARE_LIST(jobs);
((translation_unit (expression_statement (call_expression
  function: (identifier) @_macro arguments: (argument_list (identifier) @name))) . (compound_statement) @minor.function)
  (#match? @_macro "^[A-Z][A-Z0-9_]*$"))
((translation_unit (expression_statement (call_expression
  function: (identifier) @_macro arguments: (argument_list (identifier) @name))) @minor.function)
  (#match? @_macro "^[A-Z0-9_]*(?:DEFINE|DECLARE)[A-Z0-9_]*$"))
