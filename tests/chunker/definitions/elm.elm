module Shop.Cart exposing (Cart, total)

import Html exposing (..)

{-| A cart. -}
type Cart
    = Open Int
    | Closed

type alias Line =
    { price : Int
    , name : String }

{-| All lines.
-}
total : Cart -> Int
total cart =
    let
        inner x = x
    in
    inner 1

limit : Int
limit =
    9

port save : String -> Cmd msg
infix left 6 (+++) = append

(a, b) = (1, 2)
