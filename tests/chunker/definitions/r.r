#' All lines.
total <- function(lines) {
  inner <- function(x) x
}
limit = 9
Cart <- R6::R6Class("Cart", public = list(
  add = function(line) {
    line
  }
))
setMethod("show", "Cart", function(object) 1)
