/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime API as Lockstack's libcudart.so has it: for its own sources, and for tests that
 * call it or are CUDA C++ that clang compiles. Written from the public documentation of the API.
 * Names, numbers and layouts are the API's.
 *
 *   cuda_errors.def      statuses            device_properties.def  members of cudaDeviceProp
 *   cuda_runtime.def     functions           runtime_absent.def     functions that only say "not
 *                                                                   supported"
 *
 * CUDART_MAJOR is the version whose layouts are meant: 11, 12 (the default) or 13. What cuda.h says
 * of sizes, the device and streams holds here, too.
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

/* What most functions return. The numbers are the driver's. */
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

/* Handles are the driver's, so a program may use both APIs. */
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct cudaArray *cudaArray_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

/* The direction of a copy. The driver knows it by the addresses; a wrong one is an error. */
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
/* What cudaPointerGetAttributes says; Unregistered is memory of the host alone. */
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

/* Where managed memory should be. It changes nothing. */
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

/* Memory pools; the structures are the driver's (runtime_pool.c). */
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
/* The type of a texel's channels. */
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
/* Whole numbers of 8 and 16 bits as they are, or as numbers up to 1. */
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

/* Bits of each channel, 0 for one that is not there. Those there are have equal bits. */
struct cudaChannelFormatDesc {
  int x, y, z, w; /* bits */
  enum cudaChannelFormatKind f;
};
/* Where the texels of a texture or surface are. */
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
/* How a texture is read. Mipmap levels and anisotropy have no effect. */
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
/* A reference: a global structure of the program, registered with its name on the device. */
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
/* Memory of rows, `pitch` bytes apart; ysize: rows of a slice. */
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
/* Width in bytes, or in texels where an array takes part; height in rows, depth in slices. */
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
/* Each end is an array or a pitched pointer, the other member is 0. */
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
/* device is 0, or -2 for memory that is not registered. */
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
#if CUDART_MAJOR >= 13
  long reserved[8];
#endif
};
/* Attributes of a kernel; those that the driver does not know are 0. */
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
#if CUDART_MAJOR >= 12
  int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth,
      clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
#endif
};
/* Members by version, out of one list. */
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

/* As the driver's CUlaunchAttribute, byte for byte. */
typedef struct {
  int id;
  char pad[4];
  union {
    char pad[64];
    int cooperative;
    unsigned cluster[3];
  } val;
} cudaLaunchAttribute;

/* A launch of cudaLaunchKernelExC. */
typedef struct {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  const cudaLaunchAttribute *attrs;
  unsigned numAttrs;
} cudaLaunchConfig_t;

/* The structure of version 12 has a function of its own. */
#if CUDART_MAJOR == 12
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif

#define FUNCTION(result, name, parameters) result name parameters;
#include "cuda_runtime.def"

#ifdef __cplusplus
}
#endif

#endif
