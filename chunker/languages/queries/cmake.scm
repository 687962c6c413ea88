(function_def (function_command (argument_list . (argument) @name))) @definition.function
(macro_def (macro_command (argument_list . (argument) @name))) @definition.macro
((normal_command (identifier) @_command (argument_list . (argument) @name)) @minor.variable
  (#match? @_command "(?i)^(option|cmake_dependent_option|add_(library|executable|custom_target|test))$"))
[(line_comment) (bracket_comment)] @comment
