(bind function: (_) @name) @definition.function
(bind . (id) @name . "=" . (anonymous_function)) @definition.function
(bind . (id) @name) @definition.variable
(field function: (fieldname [(id) (string)] @name)) @definition.method
(field . (fieldname [(id) (string)] @name) (anonymous_function)) @definition.method
(field . (fieldname [(id) (string)] @name) (object)) @definition.struct
(field . (fieldname [(id) (string)] @name)) @minor.variable
(comment) @comment
