/// Module.
module shop.cart;
import std.stdio;
/// A cart.
class Cart : Base
{
    private int total_;
    enum LIMIT = 9;
    this(int x) { }
    ~this() { }
    /// All lines.
    @property int total() const { int x; void inner() {} return x; }
    static Cart make(T)(T x) if (is(T)) { return null; }
    override string toString() { return ""; }
    unittest { }
}
struct Line { int price; void add(); }
interface Store { void load(); }
enum State { open, closed }
enum max = 3;
enum string NAME = "x";
alias Id = int;
union U { int a; }
template Twice(T) { alias Twice = T; }
mixin template M() { int a; }
immutable int limit = 9;
__gshared int counter;
void main(string[] args) { }
auto gen(T)(T a) => a;
version (Windows) { void win() {} } else { void posix() {} }
extern (C) int sum(int a);
private: 
void hidden() @safe nothrow { }
unittest { assert(1); }
