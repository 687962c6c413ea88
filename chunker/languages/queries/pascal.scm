(defProc header: (declProc name: (_) @name) . (_)? @body) @definition.function
(implementation (declProc name: (_) @name) @definition.function)
(declType name: [(identifier) @name (genericTpl entity: (_) @name)] type: (declClass (kClass))) @definition.class
(declType name: [(identifier) @name (genericTpl entity: (_) @name)] type: (declClass)) @definition.struct
(declType name: [(identifier) @name (genericTpl entity: (_) @name)] type: (declIntf)) @definition.interface
(declType name: (identifier) @name type: (type (declEnum))) @definition.enum
(declType name: [(identifier) @name (genericTpl entity: (_) @name)]) @definition.type
(declIntf (declProc name: (_) @name) @definition.method)
(declConst name: (_) @name) @definition.const
(declVar name: (identifier) @name) @definition.variable
(declProc name: (identifier) @name) @minor.function
(declProp name: (_) @name) @minor.variable
(declEnumValue name: (_) @name) @minor.const
(declField name: (identifier) @name) @field
(_ (moduleName) @package ";")
(comment) @comment
