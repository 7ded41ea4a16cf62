/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures, surfaces and arrays by the runtime API, with what a compiler's host code registers for
 * them: exec_texture_runtime PART... FATBIN is a fat binary of textures.ptx.
 */
#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "fat_binary.h"
#include "holds.h"

enum { W = 23, H = 9 };

static struct textureReference picture, numbers, unknown;
static struct surfaceReference canvas;
static char copy_picture, fetch_numbers, paint, double_surface; /* stubs */

#define GOOD(call) expect_result(cudaSuccess, call, #call, __LINE__)
#define IS(wanted, call) expect_result(wanted, call, #call, __LINE__)

/* Ends the program unless the call gave this result. */
static void expect_result(cudaError_t wanted, cudaError_t got, const char *call, int line) {
  if (wanted == got) return;
  printf("line %d: %s gave %d (%s), not %d\n", line, call, (int)got, cudaGetErrorName(got), (int)wanted);
  exit(1);
}

__attribute__((constructor)) static void before_main(void) {
  void **fat = __cudaRegisterFatBinary((void *)&fat_wrapper);
  __cudaRegisterFunction(fat, &copy_picture, (char *)"copy_picture", "copy_picture", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(fat, &fetch_numbers, (char *)"fetch_numbers", "fetch_numbers", -1, NULL, NULL, NULL, NULL,
                         NULL);
  __cudaRegisterFunction(fat, &paint, (char *)"paint", "paint", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(fat, &double_surface, (char *)"double_surface", "double_surface", -1, NULL, NULL, NULL, NULL,
                         NULL);
  __cudaRegisterTexture(fat, &picture, NULL, "picture", 2, 1, 0); /* read as normalized floats */
  __cudaRegisterTexture(fat, &numbers, NULL, "numbers", 1, 0, 0);
  __cudaRegisterSurface(fat, &canvas, NULL, "canvas", 2, 0);
  __cudaRegisterFatBinaryEnd(fat);
}

/* Launches the kernel of this stub. */
static void launch_kernel(const void *stub, unsigned grid, unsigned block, void **params) {
  GOOD(cudaLaunchKernel(stub, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, params, 0, NULL));
}

/* A format of one channel with so many bits. */
static struct cudaChannelFormatDesc one_channel(int bits, enum cudaChannelFormatKind kind) {
  return cudaCreateChannelDesc(bits, 0, 0, 0, kind);
}

/* ---- references ---- */

/* The kernel reads the picture as numbers up to 1, which are the bytes over 255. */
static void check_picture(float *device, const uint8_t *data) {
  float got[W * H];
  int width = W, height = H;
  launch_kernel(&copy_picture, H, 32, (void *[]){&device, &width, &height});
  GOOD(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < W * H; i++) TRUE(got[i] == (float)(data[i] / 255.0));
}

/* The same reference bound to an array, then to rows of memory. */
static void references(void) {
  uint8_t data[W * H];
  float *device;
  uint8_t *rows;
  cudaArray_t array;
  size_t pitch, offset;
  const struct cudaChannelFormatDesc byte = one_channel(8, cudaChannelFormatKindUnsigned);
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7);
  GOOD(cudaMalloc((void **)&device, sizeof(float) * W * H));
  GOOD(cudaMallocArray(&array, &byte, W, H, 0));
  GOOD(cudaMemcpyToArray(array, 0, 0, data, sizeof data, cudaMemcpyHostToDevice));
  picture.normalized = 1, picture.filterMode = cudaFilterModeLinear; /* at a texel's middle it is the texel */
  GOOD(cudaBindTextureToArray(&picture, array, &byte));
  check_picture(device, data);
  GOOD(cudaUnbindTexture(&picture));
  GOOD(cudaMallocPitch((void **)&rows, &pitch, W, H));
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 11 + 1);
  GOOD(cudaMemcpy2D(rows, pitch, data, W, W, H, cudaMemcpyHostToDevice));
  GOOD(cudaBindTexture2D(&offset, &picture, rows, &byte, W, H, pitch));
  check_picture(device, data);
  const struct textureReference *same;
  GOOD(cudaGetTextureReference(&same, &picture));
  TRUE(same == &picture);
  IS(cudaErrorInvalidTexture, cudaGetTextureReference(&same, &unknown));
  IS(cudaErrorInvalidTexture, cudaBindTextureToArray(&unknown, array, &byte));
  GOOD(cudaFreeArray(array));
}

/* A reference bound to linear memory: what lies before and behind the 20 numbers is 0. */
static void linear(void) {
  enum { N = 20 };
  int data[N], got[32], *at, *device, n = 32;
  size_t offset = 99;
  const struct cudaChannelFormatDesc whole = one_channel(32, cudaChannelFormatKindSigned);
  for (int i = 0; i < N; i++) data[i] = 5 - 3 * i;
  GOOD(cudaMalloc((void **)&at, sizeof data));
  GOOD(cudaMalloc((void **)&device, sizeof got));
  GOOD(cudaMemcpy(at, data, sizeof data, cudaMemcpyHostToDevice));
  GOOD(cudaBindTexture(&offset, &numbers, at, &whole, UINT32_MAX));
  TRUE(offset == 0);
  launch_kernel(&fetch_numbers, 1, 32, (void *[]){&device, &n});
  GOOD(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) TRUE(got[i] == (i < 4 || i >= 4 + N ? 0 : data[i - 4]));
}

/* ---- objects, surfaces ---- */

/* A texture object is read, a surface reference written, and a surface object doubles what was
 * written. */
static void objects(void) {
  uint32_t data[W * H], got[W * H];
  cudaArray_t from, to;
  cudaTextureObject_t object;
  cudaSurfaceObject_t surface;
  struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
  struct cudaTextureDesc t = {.addressMode = {cudaAddressModeClamp, cudaAddressModeClamp},
                              .readMode = cudaReadModeElementType};
  const struct cudaChannelFormatDesc whole = one_channel(32, cudaChannelFormatKindUnsigned);
  int width = W;
  for (unsigned i = 0; i < W * H; i++) data[i] = i * 0x10001 + 3;
  GOOD(cudaMallocArray(&from, &whole, W, H, 0));
  GOOD(cudaMemcpy2DToArray(from, 0, 0, data, W * 4, W * 4, H, cudaMemcpyHostToDevice));
  GOOD(cudaMallocArray(&to, &whole, W, H, cudaArraySurfaceLoadStore));
  r.res.array.array = from;
  GOOD(cudaCreateTextureObject(&object, &r, &t, NULL));
  GOOD(cudaBindSurfaceToArray(&canvas, to, &whole));
  launch_kernel(&paint, H, 32, (void *[]){&object, &width});
  r.res.array.array = to;
  GOOD(cudaCreateSurfaceObject(&surface, &r));
  launch_kernel(&double_surface, H, 32, (void *[]){&surface, &width});
  GOOD(cudaMemcpy2DFromArray(got, W * 4, to, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < W * H; i++) TRUE(got[i] == 2 * data[i]);
  GOOD(cudaDestroyTextureObject(object));
  IS(cudaErrorInvalidValue, cudaDestroyTextureObject(object));
  GOOD(cudaDestroySurfaceObject(surface));
  t.filterMode = cudaFilterModeLinear;
  IS(cudaErrorInvalidValue, cudaCreateTextureObject(&object, &r, &t, NULL));
  r.res.array.array = from;
  IS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &r));
}

/* ---- arrays ---- */

/* Copies of whole arrays and of boxes in them, and formats that do not exist. */
static void arrays(void) {
  enum { X = 6, Y = 5, Z = 4 };
  static int16_t data[Z][Y][X][2], got[Z][Y][X][2], part[2][3][2][2];
  struct cudaChannelFormatDesc d = {16, 16, 0, 0, cudaChannelFormatKindSigned}, of;
  struct cudaExtent e;
  cudaArray_t a, b;
  unsigned flags;
  for (unsigned i = 0; i < sizeof data / 2; i++) ((int16_t *)data)[i] = (int16_t)(i * 5 - 90);
  GOOD(cudaMalloc3DArray(&a, &d, (struct cudaExtent){X, Y, Z}, 0));
  GOOD(cudaMalloc3DArray(&b, &d, (struct cudaExtent){X, Y, Z}, cudaArrayLayered));
  GOOD(cudaArrayGetInfo(&of, &e, &flags, b));
  TRUE(of.x == 16 && of.y == 16 && of.z == 0 && of.f == cudaChannelFormatKindSigned && e.width == X && e.depth == Z &&
       flags == cudaArrayLayered);
  GOOD(cudaGetChannelDesc(&of, a));
  TRUE(of.x == 16 && of.w == 0);
  struct cudaMemcpy3DParms c = {
      .srcPtr = {data, sizeof data[0][0], X, Y}, .dstArray = a, .extent = {X, Y, Z}, .kind = cudaMemcpyHostToDevice};
  GOOD(cudaMemcpy3D(&c));
  c = (struct cudaMemcpy3DParms){.srcArray = a, .dstArray = b, .extent = {X, Y, Z}, .kind = cudaMemcpyDeviceToDevice};
  GOOD(cudaMemcpy3D(&c));
  c = (struct cudaMemcpy3DParms){
      .srcArray = b, .dstPtr = {got, sizeof got[0][0], X, Y}, .extent = {X, Y, Z}, .kind = cudaMemcpyDeviceToHost};
  GOOD(cudaMemcpy3D(&c));
  TRUE(!memcmp(data, got, sizeof data));
  c = (struct cudaMemcpy3DParms){.srcArray = b,
                                 .srcPos = {3, 1, 2},
                                 .dstPtr = {part, sizeof part[0][0], 2, 3},
                                 .extent = {2, 3, 2},
                                 .kind = cudaMemcpyDeviceToHost};
  GOOD(cudaMemcpy3D(&c));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++) TRUE(!memcmp(part[z][y], data[2 + z][1 + y][3], sizeof part[z][y]));
  GOOD(cudaMemcpyFromArray(part, a, 8, 2, 12, cudaMemcpyDeviceToHost));
  TRUE(!memcmp(part, data[0][2][2], 12));
  d.y = 8;
  IS(cudaErrorInvalidValue, cudaMallocArray(&a, &d, 4, 4, 0));
  d = (struct cudaChannelFormatDesc){8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  IS(cudaErrorInvalidValue, cudaMallocArray(&a, &d, 4, 4, 0));
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {{"references", references}, {"linear", linear}, {"objects", objects}, {"arrays", arrays}};

int main(int argc, char **argv) {
  for (int a = 1; a < argc; a++)
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (!strcmp(parts[i].name, argv[a])) {
        parts[i].run();
        printf("%s held\n", argv[a]);
      }
  return 0;
}
