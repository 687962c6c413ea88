dependency "vpc" {
  path = "../vpc"
}
