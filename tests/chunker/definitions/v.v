module shop

import os

// A cart.
pub struct Cart {
pub mut:
	total int
}

struct Gen[T] { x T }
pub enum State { open closed }
pub interface Store { load() int }
type Id = int
pub type Any = int | string
pub const limit = 9
const (
	a = 1
	b = 2
)
__global counter int

// All lines.
pub fn (mut c Cart) total(tax int) int {
	x := 1
	return x
}

fn free[T](a T) T { return a }
fn C.sum(a int) int
pub fn (a Cart) + (b Cart) Cart { return a }
fn main() { println('x') }
fn Cart.new() Cart { return Cart{} }
@[inline]
fn fast() {}
union U { a int }
