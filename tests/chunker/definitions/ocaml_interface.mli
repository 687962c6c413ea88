(** A cart. *)
type t
type line = { price : int }
type 'a state = Open | Closed of 'a
exception Empty

val total : t -> int
(** All lines. *)

val ( +! ) : int -> int -> int
external sum : int -> int = "sum"

module Line : sig
  type t
  val price : t -> int
end
module type Store = sig
  val load : unit -> t
end
module Make (S : Store) : Store with type t = S.t
module Alias = Line
class type cart = object
  method total : int
end
class basket : int -> object
  method sum : int
end
include module type of struct include Line end
