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

; [shop.cart :as cart :refer [total]] of `ns` and of `require`
((list_lit . (sym_lit name: (_) @_ns) (list_lit . (kwd_lit) (vec_lit) @import)) (#eq? @_ns "ns"))
((list_lit . (sym_lit name: (_) @_ns) (list_lit . (kwd_lit) (_ (vec_lit) @import))) (#eq? @_ns "ns"))
((list_lit . (sym_lit name: (_) @_require) (quoting_lit (vec_lit) @import)) (#any-of? @_require "require" "use"))

(list_lit . (sym_lit !namespace name: (_) @reference.call))
(list_lit . (sym_lit namespace: (_) @receiver name: (_) @reference.call))
(anon_fn_lit . (sym_lit !namespace name: (_) @reference.call))
(anon_fn_lit . (sym_lit namespace: (_) @receiver name: (_) @reference.call))
(sym_lit !namespace name: (_) @reference.value)
(sym_lit namespace: (_) @receiver name: (_) @reference.value)
((list_lit . (sym_lit name: (_) @_def) . (sym_lit) . (vec_lit) (sym_lit name: (_) @reference.base))
  (#any-of? @_def "defrecord" "deftype"))

; Parameters, and what `let` and the like bind.
((list_lit . (sym_lit name: (_) @_word) . (vec_lit (sym_lit name: (_) @local)))
  (#match? @_word "^(fn|let|loop|for|doseq|dotimes|(if|when)-(let|some|first)|with-open|as->)$"))
((list_lit . (sym_lit name: (_) @_word) . (vec_lit [(vec_lit (sym_lit name: (_) @local)) (map_lit (sym_lit name: (_) @local))]))
  (#match? @_word "^(fn|let|loop|for|doseq|dotimes|(if|when)-(let|some|first)|with-open)$"))
((list_lit . (sym_lit name: (_) @_word) . (sym_lit) . (vec_lit (sym_lit name: (_) @local)))
  (#match? @_word "^(def(n-?|macro|method)|fn)$"))
((list_lit . (sym_lit name: (_) @_word) . (sym_lit) . (_) . (vec_lit (sym_lit name: (_) @local)))
  (#match? @_word "^def(n-?|macro|method)$"))
((list_lit . (sym_lit name: (_) @_word) . (sym_lit) . (vec_lit [(vec_lit (sym_lit name: (_) @local)) (map_lit (sym_lit name: (_) @local))]))
  (#match? @_word "^(def(n-?|macro|method)|fn)$"))
(list_lit . (vec_lit (sym_lit name: (_) @local)))
((map_lit (kwd_lit) @_keys . (vec_lit (sym_lit name: (_) @local))) (#match? @_keys "(keys|strs|syms)$"))
