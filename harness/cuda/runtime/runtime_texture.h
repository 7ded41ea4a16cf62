/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, textures and surfaces in libcudart.so: what its files share.
 */
#ifndef RUNTIME_TEXTURE_H
#define RUNTIME_TEXTURE_H

#include <stdbool.h>

#include "cudart.h"

/* The driver's format and number of channels. False: the driver has no such format. */
bool runtime_format(const struct cudaChannelFormatDesc *channels, CUarray_format *format, unsigned *number);

/* The driver's reference of a registered structure (__cudaRegisterTexture, __cudaRegisterSurface).
 * *unit: its whole numbers are read as numbers up to 1. CUDA_ERROR_INVALID_TEXTURE, _SURFACE: it is
 * not registered. */
CUresult runtime_texture(const void *host, CUtexref *reference, bool *unit);
CUresult runtime_surface(const void *host, CUsurfref *reference);

#endif
