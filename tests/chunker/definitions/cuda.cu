#include <cuda.h>
/// Adds.
__global__ void vecAdd(const float *A, float *B, int n) {
  int i = blockDim.x;
}
template <typename T, int N>
__device__ __forceinline__ T dot(T a) { return a; }
template <class T> __global__ void __launch_bounds__(256, 2) big(T *x) {}
extern "C" void host() { vecAdd<<<1, 2, 0, s>>>(a, b, 3); big<float><<<grid, block>>>(x); }
__constant__ float c_kernel[9];
__device__ int counter = 0;
struct Foo { int a; __host__ __device__ Foo() {} __device__ int get() const { return a; } };
class Bar { void run(); };
void Bar::run() {}
#define N 4
namespace x { enum E { A, B }; }
extern __shared__ float sm[];
static inline __host__ __device__ int *pp(int a) { return 0; }
