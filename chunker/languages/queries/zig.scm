; The tree of an initialiser is deep, and deep patterns take long to compile: the text after the `=` says enough.
; A function that returns a type is a generic type: its members are the container's.
((_ (FnProto function: (_) @name) (Block)? @body) @definition.struct
  (#match? @definition.struct "\\A[^{]*\\)\\s*type\\s*\\{"))
(_ (FnProto function: (_) @name) (Block)? @body) @definition.function
((Decl (VarDecl variable_type_function: (_) @name)) @import
  (#match? @import "\\A[^=]*=\\s*@(?:import|cImport)\\b"))
((Decl (VarDecl variable_type_function: (_) @name)) @definition.enum
  (#match? @definition.enum "\\A[^=]*=\\s*(?:(?:packed|extern)\\s+)?enum\\b"))
((Decl (VarDecl variable_type_function: (_) @name)) @definition.struct
  (#match? @definition.struct "\\A[^=]*=\\s*(?:(?:packed|extern)\\s+)?(?:struct|union|opaque)\\b"))
((Decl (VarDecl variable_type_function: (_) @name)) @definition.type
  (#match? @definition.type "\\A[^=]*=\\s*error\\s*\\{"))
((Decl (VarDecl variable_type_function: (_) @name)) @definition.variable
  (#match? @definition.variable "\\A(?:pub )?(?:threadlocal )?var "))
(Decl (VarDecl variable_type_function: (_) @name)) @definition.const
; Tests are never called: the scope distinguishes the name of a test from that of the function that it tests.
(TestDecl "test" @scope [(STRINGLITERALSINGLE) (IDENTIFIER)] @name (Block) @body) @definition.function

; A file is a struct, and these are its fields.
(source_file (ContainerField field_member: (IDENTIFIER) @name) @definition.variable)

(doc_comment) @comment
(line_comment) @comment

(SuffixExpr variable_type_function: (IDENTIFIER) @reference.call . (FnCallArguments))
(SuffixExpr . (_) @from (FieldOrFnCall function_call: (IDENTIFIER) @reference.call))
((SuffixExpr variable_type_function: (IDENTIFIER) @reference.type) (#match? @reference.type "^[A-Z]"))
((SuffixExpr . (_) @from (FieldOrFnCall field_access: (IDENTIFIER) @reference.type)) (#match? @reference.type "^[A-Z]"))
; Another name of what it leads to: `const Page = pages.Page;`
((Decl (VarDecl (ErrorUnionExpr (SuffixExpr . (_) @from (FieldOrFnCall field_access: (IDENTIFIER) @reference.alias) .)))) @_alias
  (#match? @_alias "\\A(?:pub )?const\\s+\\w+\\s*=\\s*\\w+(?:\\.\\w+)+\\s*;\\Z"))

; Bindings of names to types and values.
(ParamDecl parameter: (IDENTIFIER) @local (ParamType) @type)
(_ variable_type_function: (IDENTIFIER) @local . ":" . (PrefixTypeOp)* @type . (ErrorUnionExpr) @type)
((_ variable_type_function: (IDENTIFIER) @local . "=" . (_) @value)
  (#not-match? @value "\\A(?:.import\\b|(?:packed |extern )?(?:struct|enum|union|opaque)\\b)"))
(_ field_member: (IDENTIFIER) @local . ":" . (PrefixTypeOp)* @type . (ErrorUnionExpr) @type)
(FnProto function: (IDENTIFIER) @result (PrefixTypeOp)* @type . (ErrorUnionExpr) @type .)
(Payload variable: (IDENTIFIER) @local)
(PtrPayload variable: (IDENTIFIER) @local)
(PtrIndexPayload variable: (IDENTIFIER) @local)
(PtrListPayload variable: (IDENTIFIER) @local)
