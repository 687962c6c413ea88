((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.macro (#eq? @_def "defmacro"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.interface
  (#any-of? @_def "defprotocol" "definterface"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.class
  (#any-of? @_def "defrecord" "deftype"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.variable
  (#any-of? @_def "def" "defonce"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.function (#match? @_def "^def."))
((source (list_lit . (sym_lit name: (_) @_ns) . (sym_lit name: (_) @package))) (#eq? @_ns "ns"))
((list_lit . (sym_lit name: (_) @_def) (list_lit . (sym_lit name: (_) @name) @minor.method))
  (#any-of? @_def "defprotocol" "definterface"))
(comment) @comment
