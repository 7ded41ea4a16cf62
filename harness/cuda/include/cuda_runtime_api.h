/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime API as Lockstack's libcudart.so has it: for its own sources, and for tests that
 * call it or are CUDA C++ that clang compiles. Written from the public documentation of the API;
 * names, numbers and layouts are the API's. CUDART_MAJOR is the version whose layouts are meant:
 * 11, 12 (unless said otherwise) or 13.
 */
#ifndef LOCKSTACK_CUDA_RUNTIME_API_H
#define LOCKSTACK_CUDA_RUNTIME_API_H

#include <stddef.h>

#ifndef CUDART_MAJOR
#define CUDART_MAJOR 12
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaError {
#define ERROR(value, driver, name, text) cuda##name = value,
#include "cuda_errors.def"
} cudaError_t;

#ifdef __cplusplus
struct dim3 {
  unsigned x, y, z;
  __attribute__((host, device)) dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
#else
typedef struct dim3 {
  unsigned x, y, z;
} dim3;
#endif

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct cudaArray *cudaArray_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum {
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2
};

enum cudaMemLocationType {
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost,
  cudaMemLocationTypeHostNuma,
  cudaMemLocationTypeHostNumaCurrent
};
enum { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseSetAccessedBy = 5 };
struct cudaMemLocation {
  enum cudaMemLocationType type;
  int id;
};

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum {
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemAllocationTypePinned = 1,
  cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemPoolProps {
  int allocType, handleTypes;
  struct cudaMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
struct cudaMemAccessDesc {
  struct cudaMemLocation location;
  int flags;
};

typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
enum {
  cudaArrayDefault = 0,
  cudaArrayLayered = 1,
  cudaArraySurfaceLoadStore = 2,
  cudaArrayCubemap = 4,
  cudaArrayTextureGather = 8
};

struct cudaChannelFormatDesc {
  int x, y, z, w; /* bits */
  enum cudaChannelFormatKind f;
};
struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void *devPtr;
      struct cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      struct cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
struct textureReference { /* until version 11 */
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, reserved[14];
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
#if CUDART_MAJOR >= 13
  long reserved[8];
#endif
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
#if CUDART_MAJOR >= 12
  int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth,
      clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
#endif
};
struct cudaDeviceProp {
#define MEMBER(type, name, elements, value) type name elements;
#if CUDART_MAJOR >= 13
#define UNTIL_12(type, name, elements, value)
#else
#define UNTIL_12(type, name, elements, value) type name elements;
#endif
#if CUDART_MAJOR >= 12
#define FROM_12(type, name, elements, value) type name elements;
#else
#define FROM_12(type, name, elements, value)
#endif
#if CUDART_MAJOR >= 13
#define FROM_13(type, name, elements, value) type name elements;
#else
#define FROM_13(type, name, elements, value)
#endif
#include "device_properties.def"
};
enum {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributePriority = 8
};

typedef struct {
  int id;
  char pad[4];
  union {
    char pad[64];
    int cooperative;
    unsigned cluster[3];
  } val;
} cudaLaunchAttribute;

typedef struct {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  const cudaLaunchAttribute *attrs;
  unsigned numAttrs;
} cudaLaunchConfig_t;

#if CUDART_MAJOR == 12
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif

#define FUNCTION(result, name, parameters) result name parameters;
#include "cuda_runtime.def"

#ifdef __cplusplus
}
#endif

#endif
