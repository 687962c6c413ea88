[
  (compilation_unit (value_definition (let_binding pattern: (_) @name (parameter) body: (_) @body) @definition.function))
  (structure (value_definition (let_binding pattern: (_) @name (parameter) body: (_) @body) @definition.function))
]
[
  (compilation_unit (value_definition (let_binding pattern: (value_name) @name
    body: [(function_expression) (fun_expression)] @body) @definition.function))
  (structure (value_definition (let_binding pattern: (value_name) @name
    body: [(function_expression) (fun_expression)] @body) @definition.function))
]
[
  (compilation_unit (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @definition.variable))
  (structure (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @definition.variable))
]
(external (value_name) @name) @definition.function
(module_binding (module_name) @name body: [(structure) (functor) (module_application) (packed_module)
  (typed_module_expression) (parenthesized_module_expression) (extension)] @body) @definition.module
; `module Line = Cart.Line`: another name of a module.
(module_binding (module_name) @name body: (module_path)) @minor.module
(module_type_definition (module_type_name) @name body: (_) @body) @definition.interface
(type_binding name: (_) @name) @definition.type
(class_binding (class_name) @name body: (_) @body) @definition.class
(method_definition (method_name) @name body: (_) @body) @definition.method
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type

(module_definition (module_binding body: (module_path))) @import
(compilation_unit (open_module module: (module_path)) @import)
(structure (open_module module: (module_path)) @import)
(signature (open_module) @import)
(include_module module: (module_path)) @import
(include_module module: (module_application functor: (module_path) @import))
(include_module module: (module_application functor: (_ functor: (module_path) @import)))
(include_module module: (typed_module_expression module: (module_path) @import))
(include_module module: (typed_module_expression module: (module_application functor: (module_path) @import)))
(include_module_type) @import
(local_open_expression . (module_path) @receiver) @opened
(let_open_expression . (open_module module: (module_path) @receiver)) @opened
(comment) @comment

(application_expression function: (value_path . (value_name) @reference.call))
(application_expression function: (value_path (_) @receiver (value_name) @reference.call))
; `cart |> total`, `Lwt.bind cart total` with an operator
(infix_expression right: (value_path . (value_name) @reference.call))
(infix_expression right: (value_path (_) @receiver (value_name) @reference.call))
(infix_expression left: (value_path . (value_name) @reference.call) operator: (concat_operator))
(infix_expression left: (value_path (_) @receiver (value_name) @reference.call) operator: (concat_operator))
(value_path . (value_name) @reference.value)
(value_path (_) @receiver (value_name) @reference.value)
(constructor_path . (constructor_name) @reference.type)
(constructor_path (_) @receiver (constructor_name) @reference.type)
(type_constructor_path . (type_constructor) @reference.type)
(type_constructor_path (_) @receiver (type_constructor) @reference.type)
(module_type_path . (module_type_name) @reference.type)
(module_type_path (_) @receiver (module_type_name) @reference.type)
(class_path . (class_name) @reference.type)
(class_path (_) @receiver (class_name) @reference.type)
(inheritance_definition class: (class_path . (class_name) @reference.base))
(inheritance_definition class: (class_path (_) @receiver (class_name) @reference.base))
; `module Prices = Map.Make (Price)` has what the functor defines.
(module_binding body: (module_application functor: (module_path . (module_name) @reference.base)))
(module_binding body: (module_application functor: (module_path (_) @receiver (module_name) @reference.base)))
(module_binding body: (module_application functor: (_ functor: (module_path . (module_name) @reference.base))))
(module_binding body: (module_application functor: (_
  functor: (module_path (_) @receiver (module_name) @reference.base))))

; Names bound by patterns, `let` and functors are not those of the file.
(value_pattern) @local
(let_binding pattern: (value_name) @local)
(tuple_pattern (value_name) @local)
(module_parameter (module_name) @local)

; Constructors, with the type that they belong to.
(type_binding name: (_) @type body: (variant_declaration (constructor_declaration (constructor_name) @local)))
