(function_definition name: (_) @name) @definition.function
((command name: (word) @_word . argument: (word) @name) @definition.function (#eq? @_word "alias"))
((command name: (word) @_word . argument: (word) @_scope . argument: (word) @name) @definition.variable
  (#eq? @_word "set") (#match? @_scope "^(?:-\\w*[gU]\\w*|--(?:global|universal))$"))
(comment) @comment
