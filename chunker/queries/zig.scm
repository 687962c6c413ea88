; A function that returns a container is a generic type: its members are the container's.
(Decl (FnProto function: (_) @name) (Block (Statement (AssignExpr (ErrorUnionExpr
  (SuffixExpr (ContainerDecl))))) ) @body) @definition.struct
(Decl (FnProto function: (_) @name) (Block)? @body) @definition.function
((Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType) @_word) @body)))) @definition.enum
  (#match? @_word "^enum"))
(Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl) @body)))) @definition.struct
(Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr (SuffixExpr (ErrorSetDecl) @body)))) @definition.type
((Decl (VarDecl variable_type_function: (_) @name)) @definition.variable (#match? @definition.variable "^(pub )?var "))
(Decl (VarDecl variable_type_function: (_) @name)) @definition.const
(TestDecl [(STRINGLITERALSINGLE) (IDENTIFIER)] @name (Block) @body) @definition.function

((Decl (VarDecl (ErrorUnionExpr (SuffixExpr (BUILTINIDENTIFIER) @_word)))) @import
  (#match? @_word "^@(import|cImport)$"))
(doc_comment) @comment
(line_comment) @comment

(SuffixExpr variable_type_function: (IDENTIFIER) @reference.call . (FnCallArguments))
(SuffixExpr variable_type_function: (IDENTIFIER) @receiver . (FieldOrFnCall function_call: (IDENTIFIER) @reference.call))
(FieldOrFnCall function_call: (IDENTIFIER) @reference.call)
((SuffixExpr variable_type_function: (IDENTIFIER) @reference.type) (#match? @reference.type "^[A-Z]"))
((FieldOrFnCall field_access: (IDENTIFIER) @reference.type) (#match? @reference.type "^[A-Z]"))
