#version 450
#define LIMIT 9
#define SQ(x) ((x)*(x))
layout (location = 0) in vec3 pos;
layout (binding = 0) uniform UBO { mat4 model; } ubo;
layout (std140) buffer Data { vec4 d[]; };
uniform sampler2D tex;
const float PI = 3.14;
struct Light { vec3 color; };
// All.
float total(in vec3 a, inout float b)
{
  float x = 1.0;
  return x;
}
void main() { gl_Position = vec4(pos, 1.0); }
float decl(float x);
