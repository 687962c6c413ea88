((call target: (identifier) @_word (arguments . (alias) @name) (do_block) @body) @definition.module
  (#eq? @_word "defmodule"))
((call target: (identifier) @_word (arguments . (alias) @name) (do_block) @body) @definition.interface
  (#eq? @_word "defprotocol"))
((call target: (identifier) @_word (arguments . (alias) (keywords . (pair value: [(alias) @name (list . (alias) @name)]))) (do_block) @body) @definition.impl
  (#eq? @_word "defimpl"))
((call target: (identifier) @_word (arguments . (alias) @name . (keywords . (pair value: (identifier)))? .) (do_block) @body) @definition.impl
  (#eq? @_word "defimpl"))
((call target: (identifier) @_word (arguments . [
  (call target: (identifier) @name)
  (identifier) @name
  (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when")
] (keywords)? @body) (do_block)? @body) @definition.function
  (#any-of? @_word "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp"))
((call target: (identifier) @_word (arguments . [
  (call target: (identifier) @name)
  (identifier) @name
  (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when")
]) (do_block)? @body) @definition.macro
  (#any-of? @_word "defmacro" "defmacrop"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments . (binary_operator
  left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @definition.type
  (#any-of? @_word "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments . (binary_operator
  left: (call target: (identifier) @name) operator: "::")))) @definition.function
  (#any-of? @_word "callback" "macrocallback"))

((call target: (identifier) @_word (arguments . [(alias) (dot)])) @import
  (#any-of? @_word "alias" "import" "require" "use"))
(comment) @comment
((unary_operator operator: "@" operand: (call target: (identifier) @_word)) @comment
  (#any-of? @_word "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word)) @attribute
  (#any-of? @_word "spec" "impl" "deprecated" "since" "dialyzer" "tag" "describetag"))

((unary_operator operator: "@" operand: (call target: (identifier) @_word)) @types
  (#any-of? @_word "spec" "type" "typep" "opaque" "callback" "macrocallback"))
(unary_operator operator: "@" operand: (call target: (identifier) @attribute.name))
((sigil (sigil_name) @_name (quoted_content) @markup) (#eq? @_name "H"))
((call target: (identifier) @reference.call)
  (#not-match? @reference.call "^(def[a-z]*|if|unless|case|cond|with|for|quote|unquote|raise|try|receive|alias|import|require|use|doc|moduledoc|typedoc|spec|typep?|impl|callback)$"))
(call target: (_ left: (_) @receiver right: (identifier) @reference.call) (arguments))
(unary_operator operator: "&" operand: (_
  left: (_ target: (_ left: (_) @receiver right: (identifier) @reference.value)) operator: "/"))
(unary_operator operator: "&" operand: (_ left: (identifier) @reference.value operator: "/"))
((call target: (identifier) @_word (arguments . (alias) @reference.base)) (#eq? @_word "defimpl"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments . (alias) @reference.base)))
  (#eq? @_word "behaviour"))
(alias) @reference.type
; Calls without brackets: `cart |> total`, `cart |> Cart.total`, those of `defdelegate total(cart), to: Cart, as: :sum`.
(binary_operator operator: "|>" right: (identifier) @reference.call)
(binary_operator operator: "|>" right: (call target: (_ left: (_) @receiver right: (identifier) @reference.call)))
((call target: (identifier) @_word (arguments . (call target: (identifier) @reference.call)
  (keywords . (pair value: (alias) @receiver) .))) (#eq? @_word "defdelegate"))
((call target: (identifier) @_word (arguments . (call)
  . (keywords . (pair value: (alias) @receiver) . (pair value: (atom) @reference.call) .))) (#eq? @_word "defdelegate"))

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
; Macros that define names: `defenum Status, [...]`, `defroute :home do`, `deffoo bar(x) do`.
((call target: (identifier) @_word (arguments . [(call target: (identifier) @name) (atom) @name])) @minor.function
  (#match? @_word "^def[a-z_]+$"))
((call target: (identifier) @_word (arguments . (alias) @name)) @minor.type
  (#match? @_word "^def[a-z_]+$") (#not-match? @_word "^defimpl$"))

; Fields.
((call target: (identifier) @_word (arguments . (atom) @name)) @field
  (#any-of? @_word "belongs_to" "embeds_many" "embeds_one" "field" "has_many" "has_one" "many_to_many"))
((call target: (identifier) @_word (arguments (list (atom) @name))) @field (#eq? @_word "defstruct"))
((call target: (identifier) @_word (arguments [
  (keywords (pair key: (keyword) @name))
  (list (keywords (pair key: (keyword) @name)))
])) @field (#eq? @_word "defstruct"))
