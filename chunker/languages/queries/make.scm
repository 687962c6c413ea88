(define_directive name: (_) @name) @definition.macro
(rule (targets (word) @name) (recipe)) @minor.function
(comment) @comment
