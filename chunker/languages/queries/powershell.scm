(function_statement (function_name) @name (script_block)? @body) @definition.function
(class_statement . (simple_name) @name) @definition.class
(class_method_definition (simple_name) @name (script_block)? @body) @definition.method
(enum_statement . (simple_name) @name) @definition.enum

; `. $PSScriptRoot/cart.ps1`, `Import-Module ./Cart.psm1`, `using module ./Cart.psm1`
((command (command_invokation_operator) @_dot) @import (#match? @_dot "^\\.$"))
((command command_name: (command_name) @_word) @import (#match? @_word "(?i)^(?:Import-Module|ipmo)$"))
((command command_name: (command_name) @_word . command_elements: (command_elements) @_module) @import
  (#match? @_word "(?i)^using$") (#match? @_module "(?i)^\\s*module\\b"))
(comment) @comment

(command command_name: (command_name) @reference.call)
(path_command_name_token) @reference.call
(invokation_expression . [(variable) (invokation_expression) (member_access)] @receiver
  (member_name (simple_name) @reference.call))
(invokation_expression . (type_literal (type_spec (type_name (type_identifier) @receiver)))
  (member_name (simple_name) @reference.call))
((invokation_expression . (type_literal (type_spec (type_name (type_identifier) @reference.call)))
  (member_name (simple_name) @_new)) (#match? @_new "(?i)^new$"))
((command command_name: (command_name) @_word command_elements: (command_elements
  . (command_argument_sep) . (generic_token) @reference.call)) (#match? @_word "(?i)^New-Object$"))
(class_statement . (simple_name) . ":" (simple_name) @reference.base)
(type_identifier) @reference.type

; Functions that other commands run or stand in for: `Mock Get-Cart`, `${function:Get-Cart}`
((command command_name: (command_name) @_word command_elements: (command_elements
  . (command_argument_sep) . (generic_token) @reference.value))
  (#match? @_word "(?i)^(?:Mock|Get-Command|gcm|Assert-MockCalled|Set-Alias|New-Alias)$"))

; Bindings of names to types and values.
(script_parameter (attribute_list (attribute (type_literal (type_spec (type_name (type_identifier) @type))) .))
  (variable) @local)
(class_method_parameter (type_literal (type_spec (type_name (type_identifier) @type))) (variable) @local)
(class_property_definition (type_literal (type_spec (type_name (type_identifier) @type))) (variable) @member)
(class_method_definition (type_literal (type_spec (type_name (type_identifier) @type))) (simple_name) @result)

; Names inside other code: chunks and the graph ignore them, but they can be found by name.
(enum_member . (simple_name) @name) @minor.const
