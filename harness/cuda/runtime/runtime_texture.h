/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, textures and surfaces in libcudart.so.
 */
#ifndef RUNTIME_TEXTURE_H
#define RUNTIME_TEXTURE_H

#include <stdbool.h>

#include "cudart.h"

/* false: none that is there */
bool runtime_format(const struct cudaChannelFormatDesc *channels, CUarray_format *format, unsigned *number);

/* Of a registered reference (__cudaRegisterTexture, __cudaRegisterSurface).
 * unit: its whole numbers are read as numbers up to 1. */
CUresult runtime_texture(const void *host, CUtexref *reference, bool *unit);
CUresult runtime_surface(const void *host, CUsurfref *reference);

#endif
