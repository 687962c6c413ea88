; resource "aws_vpc" "this" is `aws_vpc.this`, variable "name" is `variable.name`.
(body (block (string_lit (template_literal) @scope) . (string_lit (template_literal) @name) (body) @body) @definition.struct)
(body (block . (identifier) @scope . (string_lit (template_literal) @name) . (block_start) (body)? @body) @definition.variable)
((body (block . (identifier) @scope (body (attribute (identifier) @name) @minor.variable))) (#eq? @scope "locals"))
(comment) @comment
