(create_table . (_)* (object_reference name: (_) @name)) @definition.struct
(create_view (object_reference name: (_) @name)) @definition.struct
(create_materialized_view (object_reference name: (_) @name)) @definition.struct
(create_function (object_reference name: (_) @name)) @definition.function
(create_type (object_reference name: (_) @name)) @definition.type
(create_trigger (keyword_trigger) . (object_reference name: (_) @name)) @definition.function
(comment) @comment
(marginalia) @comment
