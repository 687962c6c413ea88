; inherits: cpp
; Variables of a file without a value: `__constant__ float weights[9];`
(translation_unit (declaration declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]) @minor.variable)
