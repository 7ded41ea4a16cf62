/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of libcuda.so.1, and what it knows of textures and surfaces. rt_texture_t is what the
 * simulator takes (firmware/workloads/runtime).
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdbool.h>

#include "cuda.h"
#include "rt_texture.h"

/* An array. at: its address; texel, row: bytes of one; pitch: bytes from row to row; rows: of a
 * slice. */
struct CUarray_st {
  CUDA_ARRAY3D_DESCRIPTOR of;
  uint32_t format; /* rt_texel_t */
  uint64_t at, texel, row, pitch, rows, slices;
};

/* The rt_texel_t of an API's format. False: the simulator has no such format. */
bool array_format(CUarray_format number, uint32_t *format);
/* Does the array have this box? x and width are in bytes. */
bool array_has(CUarray array, uint64_t x, uint64_t y, uint64_t z, uint64_t width, uint64_t height, uint64_t depth);

/* Fill in where the texels of a texture are, or how it is read (driver_texture.c).
 * texture_of_linear needs the format first. */
CUresult texture_of_array(CUarray array, rt_texture_t *t);
CUresult texture_of_format(CUarray_format format, unsigned channels, rt_texture_t *t);
CUresult texture_of_linear(CUdeviceptr at, size_t bytes, rt_texture_t *t);
CUresult texture_of_rows(CUdeviceptr at, size_t width, size_t height, size_t pitch, rt_texture_t *t);
CUresult texture_of_surface(CUarray array, rt_texture_t *t);
CUresult texture_of_flags(unsigned flags, rt_texture_t *t);

/* The simulator's handle of a texture. */
CUresult texture_make(const rt_texture_t *t, uint64_t *handle);
CUresult texture_drop(uint64_t handle);

/* Before a launch: binds the references that have changed. */
CUresult reference_bind_all(void);
void reference_forget_module(CUmodule module); /* before the module is unloaded */
void reference_forget_all(void);               /* call both when the device is closed */
void texture_forget_all(void);

#endif
