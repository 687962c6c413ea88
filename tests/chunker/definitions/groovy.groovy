class Cart extends Base {
  /** All lines. */
  @Override
  int total(int tax) {
    if (tax) { return 1 }
  }
  private static void clear() { }
}
interface Store { }
def run(x) {
  x
}
