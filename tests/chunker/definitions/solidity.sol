/// A cart.
contract Cart is Base {
  uint256 private _total;
  /// All lines.
  function total(uint256 tax) public returns (uint256) { return tax; }
  modifier open() { _; }
  event Bought(uint256 total);
  error Empty();
  struct Line { uint256 price; }
  constructor() {}
}
library Sum { }
interface Store { function load() external; }
