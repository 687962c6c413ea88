namespace Shop;
use namespace HH\Lib\C;
/** A cart. */
final class Cart extends Base implements Store {
  const int LIMIT = 9;
  private int $total = 0;
  public function __construct(private int $a) {}
  /** All lines. */
  public async function total<T>(int $tax): Awaitable<int> {
    return 1;
  }
  <<__Memoize>>
  public static function make(): this { return new self(); }
}
interface Store { public function load(): void; }
trait T { abstract public function x(): int; }
enum State: int { OPEN = 1; CLOSED = 2; }
type Id = int;
newtype Line = shape('price' => int);
const int MAX = 3;
function free<T>(vec<T> $x): T { $f = $y ==> $y + 1; return C\first($x); }
<<__EntryPoint>>
async function main(): Awaitable<void> {}
xhp class el { }
enum class E: I { }
