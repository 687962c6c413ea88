## A cart.
import std/os
type
  Cart* = object of RootObj
    ## documentation
    lines*: seq[Line]
    total: int
  State = enum
    Open, Closed
  Id = distinct int
  Gen[T] = ref object
    x: T
  Handler* = proc (x: int): int {.nimcall.}

type Line* = ref object
  price*: float

const Limit* = 9
const
  A = 1
  B* = 2
let shared = 3
var
  counter*: int = 0

# All lines.
proc total*(cart: Cart, tax = 1): int {.inline.} =
  ## doc
  proc inner(a: int): int = a
  var x = 1
  result = x

func `+`*(a, b: Cart): Cart = a
method draw(self: Cart) {.base.} = discard
iterator items*(cart: Cart): Line =
  yield cart.lines[0]
template twice*(x: untyped): untyped = x
macro build(x: untyped): untyped = x
converter toInt(x: Cart): int = 1
proc forward(x: int): int
when defined(windows):
  proc win*() = discard
else:
  proc posix*() = discard
proc gen*[T](x: T): T = x
