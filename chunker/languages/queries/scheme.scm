; inherits: racket
