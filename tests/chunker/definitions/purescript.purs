module Shop.Cart where

import Prelude

-- | A cart.
data Cart = Open Int | Closed
newtype Line = Line { price :: Int }
type Id = Int

class Store a where
  load :: a -> Int

instance storeCart :: Store Cart where
  load _ = 1
derive instance eqCart :: Eq Cart
instance Store Line where
  load _ = 2

-- | All lines.
total :: Cart -> Int
total (Open n) = inner n
  where
    inner x = x
total Closed = 0

limit :: Int
limit = 9

foreign import sum :: Int -> Int
foreign import data Hidden :: Type
infixl 6 append as <+>
