/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse physical memory: a hash table of 4 KB pages, each made when it is first written. What
 * was never written reads as zero.
 *
 * One image serves all stacks (addresses are the 40-bit physical ones of nsu_packet.def). Pages
 * are never moved, so a line's pointer stays good until memory_image_free. Accesses may cross
 * pages. Not for use from several threads.
 */
#ifndef MEMORY_IMAGE_H
#define MEMORY_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct memory_image memory_image_t;

memory_image_t *memory_image_new(void); /* NULL: out of memory */
void memory_image_free(memory_image_t *image);

/* `count` bytes at any address. False: out of memory; the bytes before the page that failed are
 * written. */
bool memory_image_write(memory_image_t *image, uint64_t addr, const void *bytes, size_t count);
void memory_image_read(const memory_image_t *image, uint64_t addr, void *bytes, size_t count);

/* The 128-byte line that holds addr, little-endian as on the GPU. To read: never NULL; of memory
 * that was never written, zeros that do not show later writes. To write: NULL if out of memory. */
const uint8_t *memory_image_line(const memory_image_t *image, uint64_t addr);
uint8_t *memory_image_line_to_write(memory_image_t *image, uint64_t addr);

size_t memory_image_pages(const memory_image_t *image); /* pages of 4096 bytes in use */

#endif
