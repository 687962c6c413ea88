((_ (unit . (identifier) @_kind .) . [(unit . (identifier) @name) (block . (unit . (identifier) @name))])
  @definition.class (#any-of? @_kind "class" "trait"))
((_ (unit . (identifier) @_kind .) . [(unit . (identifier) @name) (block . (unit . (identifier) @name))])
  @definition.interface (#eq? @_kind "interface"))
((_ (unit . (identifier) @_kind .) . [(unit . (identifier) @name) (block . (unit . (identifier) @name))])
  @definition.enum (#eq? @_kind "enum"))
((_ (unit) @_type . (block . (unit . (func (identifier) @name)))) @definition.function
  (#not-match? @_type "^(return|new|throw|assert|in|=|else|case|as)$") (#not-match? @name "^(if|for|while|switch|catch)$"))
; The constructor of a class; a call of its own name with a block is none.
((block (command . (block . (unit . (func . (identifier) @name))) .) @definition.function) (#match? @name "^[A-Z]"))
((block (end_command . (block . (unit . (func . (identifier) @name))) .) @definition.function) (#match? @name "^[A-Z]"))
; Spock's `def "adds an item"() {`
((_ (unit) @_type . (block . (string) @name @whole)) @definition.function (#any-of? @_type "def" "void"))

((command . (unit . (identifier) @_word .)) @import (#eq? @_word "import"))
((command . (unit . (identifier) @_word .) . (unit) @package) (#eq? @_word "package"))
(command (decorate)) @attribute
[(line_comment) (block_comment)] @comment

((unit . (func . (identifier) @reference.call)) (#not-match? @reference.call "^(if|for|while|switch|catch|super|this)$"))
(unit . (_) @from (func . (identifier) @reference.call))
; Calls without brackets: `cart.each { ... }`, `run { ... }`
(block . (unit . (_) @from (identifier) @reference.call .))
((command . (block . (unit . (identifier) @reference.call .)))
  (#not-match? @reference.call "^(class|else|try|finally|do|static|synchronized)$"))
((_ (unit . (identifier) @_word .) . [
  (unit . (identifier) @reference.base .)
  (block . (unit . (identifier) @reference.base .))
  (unit . (generics_class . (identifier) @reference.base))
  (block . (unit . (generics_class . (identifier) @reference.base)))
]) (#any-of? @_word "extends" "implements"))
; Without anchors, every word may begin a match up to every comma, which takes quadratic time.
((_ (unit . (identifier) @_word .) . (_) . (arg_spliter) . [
  (unit . (identifier) @reference.base .)
  (block . (unit . (identifier) @reference.base .))
]) (#eq? @_word "implements"))
((_ (unit . (identifier) @_word .) . (_) . (arg_spliter) . (_) . (arg_spliter) . [
  (unit . (identifier) @reference.base .)
  (block . (unit . (identifier) @reference.base .))
]) (#eq? @_word "implements"))
((unit . (identifier) @reference.type) (#match? @reference.type "^[A-Z]\\w*[a-z]"))
(generics_class (identifier) @reference.type)
((decorate (identifier) @reference.type .) (#match? @reference.type "^[A-Z]"))

; Bindings of names to types and values.
((_ (unit . (identifier) @type .) . (unit . (identifier) @local .)) (#match? @type "^[A-Z]")
  (#not-match? @local "^(extends|implements|instanceof|in|as|throws)$"))
((_ (unit . (identifier) @local .) . (operators) @_is . (unit . (identifier) @_new .) . (unit . (func . (identifier) @type)))
  (#eq? @_is "=") (#eq? @_new "new"))
((_ . (unit . (identifier) @local .) . (operators) @_is . (unit) @value .) (#eq? @_is "="))
((_ . (unit . (identifier) @_word .) . (unit . (identifier) @local .) . (operators) @_is . (unit) @value .)
  (#eq? @_is "=") (#any-of? @_word "def" "final" "var"))
((_ (unit . (identifier) @type .) . (block . (unit . (func . (identifier) @result)))) (#match? @type "^[A-Z]"))
