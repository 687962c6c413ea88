targetScope = 'subscription'
@description('The name.')
param name string = 'x'
// all
param tags object
var limit = 9
resource cart 'Microsoft.Web/sites@2020-01-01' = {
  name: name
  resource inner 'config' = { name: 'x' }
}
module shop './shop.bicep' = {
  name: 'shop'
}
output id string = cart.id
type line = { price: int }
func total(a int) int => a + 1
resource ex 'Microsoft.Web/sites@2020-01-01' existing = { name: 'y' }
@export()
type state = 'open' | 'closed'
import { foo } from 'x.bicep'
metadata description = 'x'
resource loop 'a@1' = [for x in y: { name: x }]
