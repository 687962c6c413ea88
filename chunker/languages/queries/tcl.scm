(procedure name: (_) @name body: (_) @body) @definition.function
((namespace (word_list . (simple_word) @_eval . (simple_word) @name . (braced_word) @body)) @definition.namespace
  (#eq? @_eval "eval"))
((command name: (_) @_def arguments: (word_list . (simple_word) @_create . (simple_word) @name)) @definition.class
  (#match? @_def "^(?:::)?(?:oo::)?(?:abstract|singleton|class)$") (#eq? @_create "create"))
((command name: (_) @_def arguments: (word_list . (simple_word) @name . (braced_word) @body)) @definition.class
  (#match? @_def "^(?:::)?(?:snit::(?:type|widget|widgetadaptor)|itcl::class|oo::define)$"))
((command name: (_) @_def arguments: (word_list . (simple_word) @name . (_) . (braced_word) @body .)) @definition.method
  (#match? @_def "^(?:method|typemethod|proc|itcl::body|classmethod)$"))
(comment) @comment
