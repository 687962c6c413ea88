## A cart.
class_name Cart
extends Node

signal paid(total)
enum State { OPEN, CLOSED }
const LIMIT = 9
@export var title: String = "x"
var items := []
@onready var label = $Label
static var count = 0
var size: int:
	get:
		return 1
	set(value):
		size = value

## All lines.
@rpc("any_peer")
func total(tax: int) -> int:
	var local = 1
	var f = func(a): return a
	return tax

static func make() -> Cart:
	return null

func _init(a).(a):
	pass

class Line extends Reference:
	var price = 0
	func sum(): 
		return price
