<# All lines. #>
function Get-Total {
  param($Lines)
}
class Cart {
  [int] Total() { return 1 }
}
