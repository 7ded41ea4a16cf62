/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CUDA program hands over as a module: PTX as text, or a fat binary, a container of PTX and
 * machine code for several GPUs, each plain or compressed.
 *
 * A fat binary is a head of 16 bytes and entries.
 *
 *   head     number 0xBA55ED50, version, size of the head, bytes behind the head
 *   entry    kind (1 PTX, 2 machine code), version, size of its head, bytes behind its head, how
 *            many of them are compressed data, .., the GPU (75 is sm_75), .., flags (0x2000 LZ4,
 *            0x8000 Zstandard), .., bytes once they are decompressed; then its data
 *
 * The library puts images that are to be linked together into one: number IMAGE_LINK and how many,
 * 4 bytes each; then for each image its bytes, as 8 bytes, and the image.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

enum { IMAGE_LINK = 0x4b4e4c4c, IMAGE_LINK_HEAD = 8 };

typedef enum {
  IMAGE_TEXT,   /* PTX was found */
  IMAGE_NO_PTX, /* machine code alone */
  IMAGE_BAD,    /* cannot be read */
  IMAGE_NO_MEMORY
} image_found_t;

typedef struct {
  char *text; /* PTX, a zero byte behind it; to be freed */
  size_t size;
  unsigned arch; /* of a fat binary: for which GPU it was made; 0: not said */
} image_ptx_t;

/* The PTX of one image. Of several entries the one for the latest GPU up to `arch` (75: sm_75) is
 * taken, else the earliest. Not IMAGE_TEXT: trouble says why, and ptx->text is NULL. */
image_found_t image_read(const void *image, size_t size, unsigned arch, image_ptx_t *ptx, trouble_t *trouble);

/* How many images are in it: 1, unless they are to be linked. The number is not checked. */
unsigned image_count(const void *image, size_t size);

/* Image number `number`, which is below image_count. *size: the bytes of all before, of this one
 * after. NULL: the bytes end before the image does. */
const void *image_at(const void *image, unsigned number, size_t *size);

#endif
