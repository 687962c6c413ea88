; A module that contains classes is a namespace; one that contains only methods is treated like a class.
(module name: (_) @name body: (body_statement [(class) (module)]) @body) @definition.namespace
(module name: (_) @name body: (_)? @body) @definition.module
(class name: (_) @name body: (_)? @body) @definition.class
(program (method name: (_) @name body: (_)? @body) @definition.function)
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method object: (self) name: (_) @name body: (_)? @body) @definition.method
(singleton_method object: (_) @scope name: (_) @name body: (_)? @body) @definition.method
; Point = Struct.new(:x, :y) do ... end
(assignment left: (constant) @name right: (call block: (do_block) @body)) @definition.class
(program (assignment left: (constant) @name) @definition.const)
(body_statement (assignment left: (constant) @name) @definition.const)

((call !receiver method: (identifier) @_word arguments: (argument_list (string))) @import
  (#any-of? @_word "require" "require_relative" "load"))
((call !receiver method: (identifier) @_word arguments: (argument_list (simple_symbol) (string))) @import
  (#eq? @_word "autoload"))
(comment) @comment

((call !receiver method: (identifier) @_word arguments: (argument_list (constant) @reference.base))
  (#any-of? @_word "include" "extend" "prepend"))
((call !receiver method: (identifier) @_word arguments: (argument_list
  (scope_resolution scope: (_) @receiver name: (constant) @reference.base)))
  (#any-of? @_word "include" "extend" "prepend"))
; def self.included(base) base.extend ClassMethods end: a class that includes this module gets those, too.
(singleton_method name: (_) @_hook body: (body_statement (call receiver: (identifier) method: (identifier) @_word
  arguments: (argument_list (constant) @reference.base)))
  (#any-of? @_hook "included" "extended" "inherited" "prepended")
  (#any-of? @_word "include" "extend" "prepend"))
(singleton_method name: (_) @_hook body: (body_statement (call receiver: (identifier) method: (identifier) @_word
  arguments: (argument_list (simple_symbol) (constant) @reference.base)))
  (#any-of? @_hook "included" "extended" "inherited" "prepended")
  (#eq? @_word "send"))
(singleton_class body: (body_statement (method name: (_) @_hook body: (body_statement (call receiver: (identifier) method: (identifier) @_word
  arguments: (argument_list (constant) @reference.base)))))
  (#any-of? @_hook "included" "extended" "inherited" "prepended")
  (#any-of? @_word "include" "extend" "prepend"))
(singleton_class body: (body_statement (method name: (_) @_hook body: (body_statement (call receiver: (identifier) method: (identifier) @_word
  arguments: (argument_list (simple_symbol) (constant) @reference.base)))))
  (#any-of? @_hook "included" "extended" "inherited" "prepended")
  (#eq? @_word "send"))
(superclass (constant) @reference.base)
(superclass (scope_resolution scope: (_) @receiver name: (constant) @reference.base))
(call !receiver method: [(identifier) (constant)] @reference.call)
(call receiver: (_) @receiver method: [(identifier) (constant)] @reference.call)
(constant) @reference.type
(scope_resolution scope: (_) @receiver name: (constant) @reference.type)

; Bindings of names to types and values.
(assignment left: (identifier) @local right: [(call) (identifier) (constant)] @value)
(assignment left: (instance_variable) @member right: [(call) (identifier) (constant)] @value)
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
((call !receiver method: (identifier) @_word arguments: (argument_list . (simple_symbol) @name)) @minor.method
  (#any-of? @_word "define_method" "define_singleton_method" "alias_method" "def_delegator"))
((call !receiver method: (identifier) @_word arguments: (argument_list (simple_symbol) @name)) @minor.method
  (#any-of? @_word "attr_reader" "attr_writer" "attr_accessor" "def_delegators" "delegate" "class_attribute"
    "cattr_accessor" "mattr_accessor"))
(alias name: (_) @name) @minor.method
(assignment left: (identifier) @name right: (lambda)) @minor.function
(pair key: (hash_key_symbol) @name value: (lambda)) @minor.method
(assignment left: (constant) @name) @minor.const
