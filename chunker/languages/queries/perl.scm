(subroutine_declaration_statement name: (_) @name body: (_) @body) @definition.function
(method_declaration_statement name: (_) @name body: (_) @body) @definition.method
(package_statement name: (_) @name (block) @body) @definition.module
(class_statement name: (_) @name (block) @body) @definition.module
(source_file (package_statement name: (_) @name ";" @open) @definition.namespace)
((use_statement module: (_) @_word (list_expression . (autoquoted_bareword) @name)) @definition.const
  (#eq? @_word "constant"))

; Pragmas and Mojo::Base name no module that the file calls.
((use_statement module: (_) @_word) @import (#not-match? @_word "^([a-z]|Mojo::Base$)"))
(require_expression (bareword)) @import
(comment) @comment

; No function of a package has the name of a built-in one, but methods do.
([(function_call_expression function: (function) @reference.call @path)
  (ambiguous_function_call_expression function: (function) @reference.call @path)] (#not-match? @reference.call
  "^(abs|accept|alarm|atan2|bind|binmode|bless|caller|chdir|chmod|chomp|chop|chown|chr|chroot|close|closedir|connect|cos|crypt|defined|delete|die|do|each|eof|eval|exec|exists|exit|exp|fcntl|fileno|flock|fork|format|getc|glob|gmtime|goto|grep|hex|index|int|ioctl|join|keys|kill|last|lc|lcfirst|length|link|listen|local|localtime|log|lstat|map|mkdir|my|next|oct|open|opendir|ord|our|pack|pipe|pop|pos|print|printf|push|quotemeta|rand|read|readdir|readline|readlink|recv|redo|ref|rename|require|reset|return|reverse|rewinddir|rindex|rmdir|scalar|seek|select|send|shift|shutdown|sin|sleep|socket|sort|splice|split|sprintf|sqrt|srand|stat|state|study|sub|substr|symlink|syscall|sysopen|sysread|sysseek|system|syswrite|tell|tie|tied|time|times|truncate|uc|ucfirst|umask|undef|unlink|unpack|unshift|untie|utime|values|vec|wait|waitpid|wantarray|warn|write)$"))
(method_call_expression invocant: (_) @receiver method: (method) @reference.call @path)
(expression_statement (bareword) @reference.call @path)
(return_expression (bareword) @reference.call @path)
(assignment_expression right: (bareword) @reference.call @path)
(list_expression (bareword) @reference.call @path)
(method_call_expression invocant: (bareword) @reference.type)
((use_statement module: (_) @_word (_ (string_content) @reference.base)) (#any-of? @_word "parent" "base" "Mojo::Base"))
((use_statement module: (_) @_word (_ (string_literal (string_content) @reference.base)))
  (#any-of? @_word "parent" "base" "Mojo::Base"))
((ambiguous_function_call_expression function: (_) @_word arguments: (_ (string_content) @reference.base))
  (#any-of? @_word "extends" "with"))
((ambiguous_function_call_expression function: (_) @_word arguments: (_ (string_literal (string_content) @reference.base)))
  (#any-of? @_word "extends" "with"))
((assignment_expression left: (_ variable: (array) @_isa) right: (_ (string_content) @reference.base)) (#eq? @_isa "@ISA"))
((assignment_expression left: (_ variable: (array) @_isa) right: (_ (string_literal (string_content) @reference.base)))
  (#eq? @_isa "@ISA"))

; Functions as values: `\&total`, `\&Shop::Cart::total`.
(refgen_expression (function (varname) @reference.value @path))

; Bindings of names to types and values.
((assignment_expression left: (variable_declaration variable: (scalar) @local) right: (method_call_expression) @value)
  (#not-match? @local "^\\$(self|class|this)$"))
((assignment_expression left: (scalar) @local right: (method_call_expression) @value)
  (#not-match? @local "^\\$(self|class|this)$"))
((assignment_expression left: (hash_element_expression (scalar) @_self key: (autoquoted_bareword) @member)
  right: (method_call_expression) @value) (#eq? @_self "$self"))
(subroutine_declaration_statement name: (bareword) @result
  body: (block (expression_statement [(return_expression [(method_call_expression) (scalar)] @value) (method_call_expression) @value]) .))

; Attributes of Mojo::Base, Moose and Moo.
(ambiguous_function_call_expression
  function: (function) @_has arguments: [
    (autoquoted_bareword) @name (string_literal content: (_) @name)
    (list_expression . [(autoquoted_bareword) @name (string_literal content: (_) @name)])
  ] (#eq? @_has "has")) @minor.method
