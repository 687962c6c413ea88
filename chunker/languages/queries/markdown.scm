; Headings inside lists and quotes do not start sections.
(list) @skip
(block_quote) @skip
; The level of a heading is the number in its capture.
(atx_heading (atx_h1_marker) heading_content: (_) @name) @heading.1
(atx_heading (atx_h2_marker) heading_content: (_) @name) @heading.2
(atx_heading (atx_h3_marker) heading_content: (_) @name) @heading.3
(atx_heading (atx_h4_marker) heading_content: (_) @name) @heading.4
(atx_heading (atx_h5_marker) heading_content: (_) @name) @heading.5
(atx_heading (atx_h6_marker) heading_content: (_) @name) @heading.6
(setext_heading heading_content: (_) @name (setext_h1_underline)) @heading.1
(setext_heading heading_content: (_) @name (setext_h2_underline)) @heading.2
