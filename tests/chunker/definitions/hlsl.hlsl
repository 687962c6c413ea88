#include "a.hlsli"
#define LIMIT 9
cbuffer Scene : register(b0)
{
    float4x4 view;
};
Texture2D tex : register(t0);
SamplerState samp : register(s0);
struct PSInput
{
    float4 position : SV_POSITION;
};
static const float PI = 3.14;
ConstantBuffer<Scene> scene : register(b1);
RWStructuredBuffer<float> outp : register(u0);
groupshared float cache[64];
// All.
[numthreads(8, 8, 1)]
void CSMain(uint3 id : SV_DispatchThreadID)
{
    float x = 1;
}
PSInput VSMain(float4 position : POSITION, float4 color : COLOR)
{
    PSInput result;
    return result;
}
float4 PSMain(PSInput input) : SV_TARGET { return 1; }
[shader("raygeneration")]
void RayGen() { }
namespace N { float f() { return 1; } }
