(** All lines. *)
let total lines = sum lines
let rec even = function 0 -> true | n -> odd n
and odd n = even n
let limit = 9
module Line = struct
  type t = { price : int }
  let price line =
    let cents = 1 in
    cents
end
exception Empty
let ( +! ) a b = a
class cart = object
  method total = 1
end
