(declarations (function name: (_) @name match: (_) @body) @definition.function)
(declarations (function (infix operator: (operator) @name) match: (_) @body) @definition.function)
(declarations (function (infix operator: (infix_id (variable) @name)) match: (_) @body) @definition.function)
(declarations (bind name: (_) @name match: (_) @body) @definition.function)
(declarations (signature name: (_) @name) @definition.function)
(class_declarations (_ name: (_) @name) @definition.function)
(instance_declarations (_ name: (_) @name match: (_) @body) @definition.function)
(data_type name: (_) @name constructors: (_)? @body) @definition.type
(newtype name: (_) @name constructor: (_)? @body) @definition.type
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name) @definition.type
(data_family name: (_) @name) @definition.type
(pattern_synonym (equation synonym: (_ name: (_) @name))) @definition.function
(class name: (_) @name declarations: (_)? @body) @definition.trait
(instance name: (_) @name declarations: (_)? @body) @definition.impl

(import) @import
(comment) @comment
(haddock) @comment

(apply function: (variable) @reference.call)
(apply function: (constructor) @reference.call)
(apply argument: (variable) @reference.call)
(infix left_operand: (variable) @reference.call)
(infix right_operand: (variable) @reference.call)
(bind match: (match expression: (variable) @reference.call))
(function match: (match expression: (variable) @reference.call))
(expression/qualified module: (_) @receiver id: (variable) @reference.call)
(exp (variable) @reference.call)
(instance name: (name) @reference.base)
(type/name) @reference.type
(name) @reference.type
