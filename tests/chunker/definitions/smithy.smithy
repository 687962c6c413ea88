$version: "2.0"
namespace shop.cart
use smithy.api#http
/// A cart.
structure Cart {
    @required
    id: Integer
    lines: LineList
}
list LineList { member: Line }
map M { key: String, value: Line }
union Any { a: Integer }
enum State { OPEN, CLOSED = "c" }
intEnum Num { A = 1 }
string Id
@http(method: "GET", uri: "/")
@readonly
operation Total {
    input: TotalInput
    output := { sum: Integer }
    errors: [Empty]
}
service Shop { version: "1", operations: [Total] }
resource CartRes { identifiers: { id: String } }
@error("client")
structure Empty {}
@trait
structure myTrait {}
apply Cart @documentation("x")
structure Mixed with [Cart] {}
integer Big
