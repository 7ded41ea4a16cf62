/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads images without trusting them: each size is checked against the bytes that are left.
 *
 *   fat binary:  | head, 16 bytes | entry head, 64 or more | data | entry head | data | ...
 *                                 <----------- `behind` of the head ------------------>
 */
#include "image.h"

#include <lz4.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
  FAT_NUMBER = 0xBA55ED50,
  FAT_HEAD = 16,
  ENTRY_HEAD = 64,
  KIND_PTX = 1,
  FLAG_LZ4 = 0x2000,
  FLAG_ZSTD = 0x8000,
  MOST_BYTES = 1 << 30 /* of PTX that is no longer compressed */
};

/* What of an entry's head is used, and where its data are. */
typedef struct {
  unsigned kind, arch;
  uint64_t flags, whole; /* whole: bytes once they are no longer compressed */
  const uint8_t *data;
  size_t size;
} entry_t;

/* Little-endian. */
static uint64_t read_number(const uint8_t *at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

/* `what` goes on after "a fat binary". */
static image_found_t refuse_fat(trouble_t *trouble, const char *what) {
  trouble_set(trouble, TROUBLE_INPUT, "a fat binary %s; the program or its file is damaged, or newer than this reader",
              what);
  return IMAGE_BAD;
}

static image_found_t no_memory(trouble_t *trouble) {
  trouble_memory(trouble);
  return IMAGE_NO_MEMORY;
}

/* Reads the entry at *at and moves *at behind it. Returns NULL, or what is wrong with it. */
static const char *read_entry(const uint8_t *fat, size_t size, size_t *at, entry_t *e) {
  const uint8_t *head = fat + *at;
  if (size - *at < ENTRY_HEAD) return "ends within the head of an entry";
  const uint64_t head_size = read_number(head + 4, 4), behind = read_number(head + 8, 8),
                 compressed = read_number(head + 16, 4);
  *e = (entry_t){.kind = (unsigned)read_number(head, 2),
                 .arch = (unsigned)read_number(head + 28, 4),
                 .flags = read_number(head + 40, 8),
                 .whole = read_number(head + 56, 8)};
  if (head_size < ENTRY_HEAD || head_size > size - *at) return "has an entry whose head has an impossible size";
  if (behind > size - *at - head_size) return "ends within an entry";
  const bool packed = e->flags & (FLAG_LZ4 | FLAG_ZSTD);
  if (packed && compressed > behind) return "has an entry with more compressed data than it has bytes";
  e->data = head + head_size;
  e->size = packed && compressed ? compressed : behind;
  *at += head_size + behind;
  return NULL;
}

/* PTX in a fat binary ends with zero bytes, which are left out. */
static image_found_t copy_text(const uint8_t *data, size_t size, image_ptx_t *ptx, trouble_t *trouble) {
  while (size && !data[size - 1]) size--; /* PTX in a fat binary ends with zero bytes */
  if (!(ptx->text = malloc(size + 1))) return no_memory(trouble);
  if (size) memcpy(ptx->text, data, size);
  ptx->text[size] = 0;
  ptx->size = size;
  return IMAGE_TEXT;
}

/* False: the data are damaged, or do not have the length that the entry says. */
static bool decompress_entry(const entry_t *e, uint8_t *to) {
  if (e->flags & FLAG_ZSTD) return ZSTD_decompress(to, e->whole, e->data, e->size) == e->whole;
  return e->size <= INT32_MAX &&
         LZ4_decompress_safe((const char *)e->data, (char *)to, (int)e->size, (int)e->whole) == (int)e->whole;
}

/* The PTX of one entry, decompressed if need be. */
static image_found_t entry_text(const entry_t *e, image_ptx_t *ptx, trouble_t *trouble) {
  ptx->arch = e->arch;
  if (!(e->flags & (FLAG_LZ4 | FLAG_ZSTD))) return copy_text(e->data, e->size, ptx, trouble);
  if (!e->whole || e->whole > MOST_BYTES) return refuse_fat(trouble, "has a compressed entry of an impossible size");
  uint8_t *whole = malloc(e->whole);
  if (!whole) return no_memory(trouble);
  const image_found_t found = decompress_entry(e, whole)
                                  ? copy_text(whole, e->whole, ptx, trouble)
                                  : refuse_fat(trouble, "has an entry that cannot be decompressed");
  free(whole);
  return found;
}

/* Is a rather to be taken than b? The latest architecture up to `arch`, else the earliest above it.
 */
static bool is_better_entry(const entry_t *a, const entry_t *b, unsigned arch) {
  if (!b->kind) return true;
  if (a->arch <= arch) return b->arch > arch || a->arch >= b->arch;
  return b->arch > arch && a->arch < b->arch;
}

/* PTX of the best entry. An image with machine code alone gets a line that says how to compile it.
 */
static image_found_t read_fat(const uint8_t *fat, size_t size, unsigned arch, image_ptx_t *ptx, trouble_t *trouble) {
  const uint64_t head = read_number(fat + 6, 2), behind = read_number(fat + 8, 8);
  entry_t entry, best = {0};
  unsigned code = 0;
  if (head < FAT_HEAD || head > size) return refuse_fat(trouble, "has a head of an impossible size");
  if (behind > size - head) return refuse_fat(trouble, "is shorter than its head says");
  for (size_t at = head, end = head + behind; at < end;) {
    const char *wrong = read_entry(fat, end, &at, &entry);
    if (wrong) return refuse_fat(trouble, wrong);
    if (entry.kind != KIND_PTX) code++;
    else if (is_better_entry(&entry, &best, arch)) best = entry;
  }
  if (best.kind) return entry_text(&best, ptx, trouble);
  trouble_set(
      trouble, TROUBLE_INPUT,
      "%s; compiled with -gencode arch=compute_75,code=compute_75 besides (or -arch=compute_75) it has PTX, which is "
      "what runs here",
      code ? "a fat binary has machine code alone" : "a fat binary is empty");
  return IMAGE_NO_PTX;
}

/* Text has no zero byte but at its end. */
static bool is_text(const uint8_t *image, size_t size) {
  while (size && !image[size - 1]) size--;
  return size && !memchr(image, 0, size);
}

image_found_t image_read(const void *image, size_t size, unsigned arch, image_ptx_t *ptx, trouble_t *trouble) {
  const uint8_t *bytes = image;
  *ptx = (image_ptx_t){0};
  if (size >= FAT_HEAD && read_number(bytes, 4) == FAT_NUMBER) return read_fat(bytes, size, arch, ptx, trouble);
  if (size >= 4 && !memcmp(bytes, "\177ELF", 4)) {
    trouble_set(trouble, TROUBLE_INPUT,
                "a module is machine code; PTX, as nvcc --ptx or -arch=compute_75 makes it, is what runs here");
    return IMAGE_NO_PTX;
  }
  if (is_text(bytes, size)) return copy_text(bytes, size, ptx, trouble);
  trouble_set(trouble, TROUBLE_INPUT, "a module is neither PTX nor a fat binary");
  return IMAGE_BAD;
}

static bool is_link(const void *image, size_t size) {
  return size >= IMAGE_LINK_HEAD && read_number(image, 4) == IMAGE_LINK;
}

unsigned image_count(const void *image, size_t size) {
  return is_link(image, size) ? (unsigned)read_number((const uint8_t *)image + 4, 4) : 1;
}

const void *image_at(const void *image, unsigned which, size_t *size) {
  const uint8_t *at = image, *const end = at + *size;
  if (!is_link(image, *size)) return image;
  at += IMAGE_LINK_HEAD;
  for (;; which--) {
    if (end - at < 8) return NULL;
    const uint64_t bytes = read_number(at, 8);
    at += 8;
    if (bytes > (uint64_t)(end - at)) return NULL;
    *size = bytes;
    if (!which) return at;
    at += bytes;
  }
}
