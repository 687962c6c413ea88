((list . (symbol) @_def . (list . [(symbol) @name (list . (symbol) @name) (list . (list . (symbol) @name))]))
  @definition.function (#match? @_def "^define(?:\\*|/.*|-(?!syntax|values|macro|record|struct|simple|library).*)?$"))
((list . (symbol) @_def . [(symbol) @name (list . (symbol) @name)]) @definition.macro
  (#match? @_def "^define-(?:syntax|macro|simple)"))
((list . (symbol) @_def . [(symbol) @name (list . (symbol) @name)]) @definition.struct
  (#match? @_def "^(?:(?:serializable-)?struct(?:/.*)?|define-(?:struct|record|class).*)$"))
((list . (symbol) @_def . (symbol) @name . (list . (symbol) @_kind)) @definition.class
  (#eq? @_def "define") (#match? @_kind "^(?:class|mixin|interface|trait)\\*?$"))
((list . (symbol) @_def . (symbol) @name . (list . (symbol) @_kind)) @definition.function
  (#match? @_def "^define") (#match? @_kind "^(?:λ|(?:.*-)?lambda\\*?)$"))
((list . (symbol) @_def . (symbol) @name) @definition.module (#match? @_def "^module[*+]?$"))
((list . (symbol) @_def . (list (symbol) @name)) @definition.variable (#match? @_def "^define-values"))
((list . (symbol) @_def . (symbol) @name) @definition.variable (#match? @_def "^define(?!-key)"))
(comment) @comment
(block_comment) @comment
