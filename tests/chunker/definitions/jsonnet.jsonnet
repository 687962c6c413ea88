// A cart.
local lib = import 'lib.libsonnet';
local limit = 9;
local total(lines, tax=0) = lines + tax;
{
  // All lines.
  total(lines):: lines,
  name: 'x',
  hidden:: 1,
  nested+: {
    inner(x): x,
    price: 2,
  },
  local priv = 3,
  [if true then 'k']: 1,
  'quoted-key': 2,
  fn: function(x) x,
  assert true,
}
