locals {
  zones = 1
}
# The network.
resource "aws_vpc" "this" {
  a = 1
}
variable "name" {
  type = string
}
