//// Module.
import gleam/list.{map}

/// A cart.
pub type Cart(a) {
  Cart(lines: List(Line), total: Int)
  Empty
}

pub opaque type Line { Line(price: Int) }
pub type Id = Int
type Hidden
pub const limit = 9
const hidden: Int = 3

/// All lines.
pub fn total(cart: Cart(a), tax t: Int) -> Int {
  let f = fn(x) { x }
  t
}

@external(erlang, "cart", "sum")
pub fn sum(a: Int) -> Int

@deprecated("x")
fn private() { 1 }
