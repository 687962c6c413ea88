; A module that contains classes is a namespace; one that contains only methods is treated like a class.
(module name: (_) @name body: (body_statement [(class) (module)]) @body) @definition.namespace
(module name: (_) @name body: (_)? @body) @definition.module
(class name: (_) @name body: (_)? @body) @definition.class
(program (method name: (_) @name body: (_)? @body) @definition.function)
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method object: (_) @scope name: (_) @name body: (_)? @body) @definition.method
; Point = Struct.new(:x, :y) do ... end
(assignment left: (constant) @name right: (call block: (do_block) @body)) @definition.class
(program (assignment left: (constant) @name) @definition.const)
(body_statement (assignment left: (constant) @name) @definition.const)

; The text of a call that has no receiver begins with its method.
((_ method: (identifier) arguments: (_ (string))) @import
  (#match? @import "\\A(?:require|require_relative|load)[\\s(\"']"))
((_ method: (identifier) arguments: (_ (simple_symbol) (string))) @import (#match? @import "\\Aautoload[\\s(]"))
(comment) @comment

((_ method: (identifier) arguments: (_ (constant) @reference.base)) @_call
  (#match? @_call "\\A(?:include|extend|prepend)[\\s(]"))
((_ method: (identifier) arguments: (_ (scope_resolution scope: (_) @receiver name: (constant) @reference.base))) @_call
  (#match? @_call "\\A(?:include|extend|prepend)[\\s(]"))
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
; A name alone is a call if it is no local variable; so is a symbol in the body of a class: `before_action :find_cart`.
(identifier) @bare
(argument_list (simple_symbol) @bare.symbol)
((pair key: (hash_key_symbol) @_key value: (simple_symbol) @bare.symbol) (#any-of? @_key "if" "unless"))

; Functions as values: passed, stored or returned, not called.
((call receiver: (_)? @receiver method: (identifier) @_method arguments: (argument_list . (simple_symbol) @reference.value .))
  (#eq? @_method "method"))

; Bindings of names to types and values.
(assignment left: (identifier) @local right: (_) @value)
(assignment left: (instance_variable) @member right: [(call) (identifier) (constant)] @value)
(operator_assignment left: (instance_variable) @member right: (call) @value)
; A method returns its last expression.
(_ name: (identifier) @result body: (body_statement [(call) (identifier) (instance_variable) (constant) (self)] @value .))
(_ name: (identifier) @result body: (body_statement (_ left: (_) right: (call) @value) .))
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(block_parameters locals: (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(in_clause pattern: (identifier) @local)
(array_pattern (identifier) @local)
(find_pattern (identifier) @local)
(keyword_pattern value: (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local !value)
(as_pattern name: (identifier) @local)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
((_ method: (identifier) arguments: (_ . (simple_symbol) @name)) @minor.method
  (#match? @minor.method "\\A(?:define_method|define_singleton_method|alias_method|def_delegator)[\\s(]"))
((_ method: (identifier) arguments: (_ (simple_symbol) @name)) @minor.method
  (#match? @minor.method
    "\\A(?:attr_(?:reader|writer|accessor)|def_delegators|delegate|class_attribute|[cm]attr_accessor)[\\s(]"))
(alias name: (_) @name) @minor.method
(assignment left: (identifier) @name right: (lambda)) @minor.function
(pair key: (hash_key_symbol) @name value: (lambda)) @minor.method
(assignment left: (constant) @name) @minor.const

; Fields.
((_ method: (identifier) arguments: (_ . (simple_symbol) @name)) @field
  (#match? @field "\\A(?:attribute|belongs_to|enum|has_(?:many|one|and_belongs_to_many)(?:_attached)?|has_rich_text|scope)[\\s(]"))
