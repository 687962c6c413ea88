(module_definition name: (_) @name) @definition.package
(function_definition (signature [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . [(call_expression . (_) @name) (typed_expression . (call_expression . (_) @name))])
  (identifier) @name
])) @definition.function
(assignment . [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . [(call_expression . (_) @name) (typed_expression . (call_expression . (_) @name))])
]) @definition.function
(macro_definition (signature (call_expression . (_) @name))) @definition.macro
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
])) @definition.struct
(abstract_definition (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @definition.type
(const_statement (assignment . (identifier) @name)) @definition.const
(macrocall_expression (macro_argument_list (function_definition) @wrapped)) @wrap
((string_literal) @comment . [
  (function_definition) (assignment) (macro_definition) (struct_definition) (abstract_definition) (const_statement)
  (macrocall_expression) (module_definition)
])
(line_comment) @comment
(block_comment) @comment

[(using_statement) (import_statement)] @import
((call_expression . (identifier) @_word) @import (#eq? @_word "include"))

; Functions of Base, which packages extend: the types of the arguments say which method is meant.
((call_expression . (identifier) @reference.call) (#not-match? @reference.call
  "^(abs|all|any|append!|argmax|argmin|axes|big|ceil|clamp|close|coalesce|collect|convert|copy|copyto!|count|deepcopy|delete!|dirname|div|do|eachindex|eltype|empty!|endswith|enumerate|eof|error|eval|extrema|falses|fetch|fill|fill!|filter|filter!|findall|findfirst|first|floor|flush|foldl|foreach|get|get!|getfield|getindex|getproperty|hasfield|hash|haskey|hasproperty|hcat|identity|ifelse|insert!|intersect|invoke|isa|isassigned|isempty|isequal|isfinite|isless|ismissing|isnan|isnothing|isopen|isreadable|issubset|iswritable|iszero|iterate|join|joinpath|keys|keytype|last|length|lock|lowercase|map|map!|mapreduce|max|maximum|merge|merge!|min|minimum|mod|names|ndims|nfields|notify|nothing|ntuple|occursin|one|ones|only|open|pairs|parent|parse|peek|permutedims|pop!|popfirst!|position|print|println|prod|promote|promote_type|propertynames|push!|pushfirst!|put!|rand|randn|range|read|readbytes!|readline|readlines|reduce|ref|rem|repeat|replace|repr|reset|reshape|resize!|rethrow|reverse|round|seek|setdiff|setfield!|setindex!|setproperty!|show|showerror|sign|similar|size|sizeof|skip|sleep|something|sort|sort!|split|sprint|sqrt|startswith|string|strip|sum|summary|take!|throw|time|transpose|trues|tryparse|tuple|typeof|typejoin|union|unique|unlock|unsafe_read|unsafe_write|uppercase|values|valtype|vcat|vec|view|wait|write|xor|zero|zeros|zip)$"))
(call_expression . (field_expression value: (_) @receiver (identifier) @reference.call .))
(call_expression . (parametrized_type_expression . (identifier) @reference.call))
((broadcast_call_expression . (identifier) @reference.call) (#not-match? @reference.call
  "^(abs|all|any|append!|argmax|argmin|axes|big|ceil|clamp|close|coalesce|collect|convert|copy|copyto!|count|deepcopy|delete!|dirname|div|do|eachindex|eltype|empty!|endswith|enumerate|eof|error|eval|extrema|falses|fetch|fill|fill!|filter|filter!|findall|findfirst|first|floor|flush|foldl|foreach|get|get!|getfield|getindex|getproperty|hasfield|hash|haskey|hasproperty|hcat|identity|ifelse|insert!|intersect|invoke|isa|isassigned|isempty|isequal|isfinite|isless|ismissing|isnan|isnothing|isopen|isreadable|issubset|iswritable|iszero|iterate|join|joinpath|keys|keytype|last|length|lock|lowercase|map|map!|mapreduce|max|maximum|merge|merge!|min|minimum|mod|names|ndims|nfields|notify|nothing|ntuple|occursin|one|ones|only|open|pairs|parent|parse|peek|permutedims|pop!|popfirst!|position|print|println|prod|promote|promote_type|propertynames|push!|pushfirst!|put!|rand|randn|range|read|readbytes!|readline|readlines|reduce|ref|rem|repeat|replace|repr|reset|reshape|resize!|rethrow|reverse|round|seek|setdiff|setfield!|setindex!|setproperty!|show|showerror|sign|similar|size|sizeof|skip|sleep|something|sort|sort!|split|sprint|sqrt|startswith|string|strip|sum|summary|take!|throw|time|transpose|trues|tryparse|tuple|typeof|typejoin|union|unique|unlock|unsafe_read|unsafe_write|uppercase|values|valtype|vcat|vec|view|wait|write|xor|zero|zeros|zip)$"))
(broadcast_call_expression . (field_expression value: (_) @receiver (identifier) @reference.call .))
((binary_expression (operator) @_pipe . (identifier) @reference.call .) (#any-of? @_pipe "|>" ".|>"))
((binary_expression (operator) @_pipe . (field_expression value: (_) @receiver (identifier) @reference.call .) .)
  (#any-of? @_pipe "|>" ".|>"))
(macrocall_expression (macro_identifier (identifier) @reference.macro))
(typed_expression (_) . (identifier) @reference.type .)
(unary_typed_expression (identifier) @reference.type)
(curly_expression (identifier) @reference.type)
(parametrized_type_expression . (identifier) @reference.type)
((binary_expression (operator) @_word . (identifier) @reference.type .) (#any-of? @_word "isa" "<:" ">:"))
(type_head (binary_expression (operator) . (identifier) @reference.base .))
(type_head (binary_expression (operator) . (parametrized_type_expression . (identifier) @reference.base) .))

; Functions as values: passed, not called.
((argument_list (identifier) @reference.value) (#not-match? @reference.value
  "^(abs|all|any|append!|argmax|argmin|axes|big|ceil|clamp|close|coalesce|collect|convert|copy|copyto!|count|deepcopy|delete!|dirname|div|do|eachindex|eltype|empty!|endswith|enumerate|eof|error|eval|extrema|falses|fetch|fill|fill!|filter|filter!|findall|findfirst|first|floor|flush|foldl|foreach|get|get!|getfield|getindex|getproperty|hasfield|hash|haskey|hasproperty|hcat|identity|ifelse|insert!|intersect|invoke|isa|isassigned|isempty|isequal|isfinite|isless|ismissing|isnan|isnothing|isopen|isreadable|issubset|iswritable|iszero|iterate|join|joinpath|keys|keytype|last|length|lock|lowercase|map|map!|mapreduce|max|maximum|merge|merge!|min|minimum|mod|names|ndims|nfields|notify|nothing|ntuple|occursin|one|ones|only|open|pairs|parent|parse|peek|permutedims|pop!|popfirst!|position|print|println|prod|promote|promote_type|propertynames|push!|pushfirst!|put!|rand|randn|range|read|readbytes!|readline|readlines|reduce|ref|rem|repeat|replace|repr|reset|reshape|resize!|rethrow|reverse|round|seek|setdiff|setfield!|setindex!|setproperty!|show|showerror|sign|similar|size|sizeof|skip|sleep|something|sort|sort!|split|sprint|sqrt|startswith|string|strip|sum|summary|take!|throw|time|transpose|trues|tryparse|tuple|typeof|typejoin|union|unique|unlock|unsafe_read|unsafe_write|uppercase|values|valtype|vcat|vec|view|wait|write|xor|zero|zeros|zip)$"))

; Names that no function has: parameters, variables.
(signature (call_expression (argument_list [
  (identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)
])))
(signature (_ (call_expression (argument_list [
  (identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)
]))))
(signature (_ (_ (call_expression (argument_list [
  (identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)
])))))
(signature (argument_list (identifier) @local))
(assignment . (call_expression (argument_list [
  (identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)
])))
(assignment . (_ (call_expression (argument_list [
  (identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)
]))))
(argument_list (typed_expression . (identifier) @local))
(argument_list (assignment . (typed_expression . (identifier) @local)))
(arrow_function_expression . (identifier) @local)
(arrow_function_expression . (argument_list (identifier) @local))
(do_clause (identifier) @local)
(do_clause (_ (identifier) @local))
(for_binding . (identifier) @local)
(for_binding . (tuple_expression (identifier) @local))
(catch_clause . (identifier) @local)
(assignment . [
  (identifier) @local (typed_expression . (identifier) @local) (tuple_expression (identifier) @local)
  (open_tuple (identifier) @local)
])
