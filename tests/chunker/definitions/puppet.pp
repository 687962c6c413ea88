# A cart.
class shop::cart (
  Integer $limit = 9,
) inherits shop {
  $x = 1
  file { '/etc/cart': ensure => file }
  include foo
}
define shop::line (String $price) {
  notify { $price: }
}
function shop::total(Integer $a) >> Integer {
  $a + 1
}
node 'web1' { include shop::cart }
type Shop::Id = Integer[1, 9]
plan shop::pay(String $x) { }
$top = 1
application app() {}
