(binding attrpath: (_) @name expression: (function_expression)) @definition.function
(let_expression (binding_set (binding attrpath: (_) @name) @definition.variable))
([(source_code expression: (attrset_expression (binding_set (binding attrpath: (_) @name) @definition.variable)))
  (source_code expression: (rec_attrset_expression (binding_set (binding attrpath: (_) @name) @definition.variable)))
  (_ body: (attrset_expression (binding_set (binding attrpath: (_) @name) @definition.variable)))
  (_ body: (rec_attrset_expression (binding_set (binding attrpath: (_) @name) @definition.variable)))])
; Options: `enable = mkEnableOption "cart";`
((binding attrpath: (_) @name expression: (apply_expression function: (_) @_option)) @definition.variable
  (#match? @_option "^(?:lib\\.|types\\.)?mk(?:\\w*)Option\\b"))
(comment) @comment
