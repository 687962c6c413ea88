namespace py shop.cart
include "base.thrift"
// A cart.
struct Cart {
  1: required i32 id,
  2: list<Line> lines
}
union Any { 1: i32 a }
exception Empty { 1: string why }
enum State { OPEN = 1, CLOSED = 2 }
typedef i32 Id
const i32 LIMIT = 9
/** The shop. */
service Shop extends Base {
  /* All. */
  i32 total(1: Cart cart) throws (1: Empty e),
  oneway void ping()
}
