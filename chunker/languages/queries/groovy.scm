((command (unit . (identifier) @_kind .) . [(unit . (identifier) @name) (block . (unit . (identifier) @name))])
  @definition.class (#any-of? @_kind "class" "interface" "trait" "enum"))
((command (unit) @_type . (block . (unit . (func (identifier) @name)))) @definition.method
  (#not-match? @_type "^(return|new|throw|assert|in|=|else)$") (#not-match? @name "^(if|for|while|switch|catch)$"))
(command (decorate)) @attribute
[(line_comment) (block_comment)] @comment
