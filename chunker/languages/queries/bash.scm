; `git::is_clean` is one word: a shell knows no scopes.
(function_definition name: (_) @name @whole body: (_) @body) @definition.function
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (variable_assignment name: (variable_name) @name) @definition.variable)

((command name: (command_name (word) @_word)) @import (#any-of? @_word "source" "."))
(comment) @comment

(command name: (command_name (word) @reference.call))
