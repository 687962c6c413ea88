(function_definition name: (_) @name docstring: (_)? @doc) @definition.function
(macro_definition name: (_) @name docstring: (_)? @doc) @definition.macro
(special_form "defvar" . (symbol) @name) @definition.variable
(special_form "defconst" . (symbol) @name) @definition.const
((list . (symbol) @_def . (symbol) @name) @definition.variable
  (#match? @_def "^(?:.*-)?def(?:custom|var-local|var-keymap|face|group)$"))
((list . (symbol) @_def . [(symbol) @name (list . (symbol) @name)]) @definition.class
  (#match? @_def "^(?:cl-)?def(?:struct|class|type)$"))
((list . (symbol) @_def . (symbol) @name) @definition.macro (#match? @_def "^(?:cl-)?defmacro\\*?$"))
((list . (symbol) @_def . (symbol) @name) @definition.function
  (#match? @_def "^(?:.*-)?(?:def(?:un|subst|method|generic|test|advice|hydra)\\*?|define-(?:inline|.*-mode|prefix|suffix|infix|argument|command))$"))
((list . (symbol) @_def . (quote (symbol) @name)) @definition.function
  (#any-of? @_def "defalias" "define-error" "define-obsolete-function-alias" "define-widget"))
((source_file (list . (symbol) @_word . (quote (symbol) @package))) (#eq? @_word "provide"))
(comment) @comment
