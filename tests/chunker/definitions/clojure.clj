(ns shop.cart)
(defn total
  "All lines."
  [^long tax lines] (reduce + lines))
(defn- ^String id [x] x)
(def ^:private limit 9)
(defmacro twice [x] x)
(defprotocol Store (load-all [this]))
(defrecord Line [price])
