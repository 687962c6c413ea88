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

(expression/variable) @reference.call
(expression/constructor) @reference.call
(pattern/constructor) @reference.call
((expression/infix operator: (operator) @reference.call) (#match? @reference.call "..."))
(expression/infix operator: (infix_id (variable) @reference.call))
(expression/qualified module: (_) @from id: [(variable) (constructor)] @reference.call)
(instance name: (name) @reference.base)
(type/name) @reference.type
(name) @reference.type

; Names bound by patterns, `let` and `where` are not functions of the file.
(pattern/variable) @local
(pattern/as bind: (variable) @local)
(local_binds (function name: (variable) @local))
(local_binds (bind name: (variable) @local))

; Constructors and fields, with the type that they belong to.
(data_type name: (_) @type constructors: (data_constructors (data_constructor (_ name: (constructor) @local))))
(data_type name: (_) @type constructors: (gadt_constructors (gadt_constructor name: (constructor) @local)))
(data_type name: (_) @type constructors: (data_constructors (data_constructor
  (record fields: (fields (field name: (field_name (variable) @local)))))))
(newtype name: (_) @type constructor: (newtype_constructor name: (constructor) @local))
(newtype name: (_) @type constructor: (newtype_constructor field: (record
  (field name: (field_name (variable) @local)))))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(field name: (field_name (variable) @name)) @minor.function
(data_constructor (_ name: (constructor) @name)) @minor.const
(gadt_constructor name: (constructor) @name) @minor.const
(newtype_constructor name: (constructor) @name) @minor.const
(local_binds (function name: (variable) @name) @minor.function)
(local_binds (bind name: (variable) @name) @minor.function)
