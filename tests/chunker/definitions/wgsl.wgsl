// A light.
struct Light {
  color : vec3<f32>,
}
const PI : f32 = 3.14;
let LIMIT = 9;
override size: u32 = 64;
alias Id = u32;
@group(0) @binding(0) var<uniform> light : Light;
var<private> counter: i32 = 0;
// All.
fn total(a : f32) -> f32 {
  let x = 1.0;
  var y = 2;
  return x;
}
@vertex
fn main(@location(0) pos : vec4<f32>) -> @builtin(position) vec4<f32> {
  return pos;
}
@compute @workgroup_size(64)
fn cs() {}
