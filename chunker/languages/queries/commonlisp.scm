((defun (defun_header keyword: (_) @_def function_name: (_) @name)) @definition.macro (#match? @_def "(?i)^defmacro$"))
(defun (defun_header function_name: (_) @name)) @definition.function
((list_lit . (sym_lit) @_def . (sym_lit) @name) @definition.variable
  (#match? @_def "(?i)^def(?:var|parameter|constant|global|ine-(?:constant|symbol-macro))$"))
((list_lit . (sym_lit) @_def . [(sym_lit) @name (list_lit . (sym_lit) @name)]) @definition.class
  (#match? @_def "(?i)^def(?:class|struct|type|ine-condition)$"))
((list_lit . (sym_lit) @_def . [(sym_lit) @name (list_lit . (sym_lit) @name)]) @definition.function
  (#match? @_def "(?i)^def(?!package$|system$|ault)."))
((source (list_lit . (sym_lit) @_in [(kwd_lit (_) @package) (sym_lit) @package])) (#match? @_in "(?i)^in-package$"))
(comment) @comment
(block_comment) @comment
