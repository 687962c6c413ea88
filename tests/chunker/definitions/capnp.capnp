@0xdbb9ad1f14bf0b36;
using Cxx = import "/c.capnp";
$Cxx.namespace("shop");
# A cart.
struct Cart {
  id @0 :UInt32;
  lines @1 :List(Line);
  struct Line { price @0 :Float64; }
  enum State { open @0; closed @1; }
  union { a @2 :Int32; b @3 :Void; }
  g :group { x @4 :Int8; }
  const inside :Int32 = 1;
}
interface Shop extends(Base) {
  total @0 (cart :Cart, tax :Int32) -> (sum :Int32);
  pay @1 () -> ();
}
const limit :UInt32 = 9;
annotation name(field) :Text;
enum Top { x @0; }
using Id = UInt32;
