(purescript (function name: (_) @name) @definition.function)
(purescript (signature name: (_) @name) @definition.function)
(class_body (signature name: (_) @name) @definition.function)
(class_instance (function name: (_) @name) @definition.function)
(data name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(class_declaration (class_head (class_name) @name)) @definition.trait
(class_instance (instance_name) @name) @definition.impl
(class_instance . "instance" . (instance_head) @name) @definition.impl
(derive_declaration (instance_name) @name) @minor.impl
(foreign_import name: (_) @name) @definition.function
(kind_value_declaration name: (_) @name) @definition.type
(purescript name: (_) @package)
(comment) @comment
