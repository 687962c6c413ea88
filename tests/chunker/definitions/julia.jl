module Cart
"""All lines."""
function total(lines::Vector)::Int where T
  sum(lines)
end
isopen(cart) = true
struct Line{T} <: Any
  price::T
end
macro twice(x)
  x
end
const LIMIT = 9
@inline function fast(x)
  x
end
end
