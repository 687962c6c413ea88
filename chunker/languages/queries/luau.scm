; inherits: lua_definitions
(type_definition name: [(identifier) @name (generic_type . (identifier) @name)]) @definition.type
(comment) @comment
