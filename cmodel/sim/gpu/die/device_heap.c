/* SPDX-License-Identifier: Apache-2.0
 *
 * The device heap: a list of pieces by address, first fit.
 */
#include "device_heap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "simt_host.h"

int device_heap_size(device_heap_t *h, uint64_t bytes, trouble_t *err) {
  if (!bytes || bytes > UINT64_C(1) << 40)
    return trouble_fail(err, TROUBLE_INPUT, "a heap of %" PRIu64 " bytes; 1 to %" PRIu64 " would be right", bytes,
                        UINT64_C(1) << 40);
  if (h->base) return trouble_fail(err, TROUBLE_INPUT, "the heap has its size once a kernel with malloc was launched");
  h->bytes = (bytes + DEVICE_HEAP_UNIT - 1) / DEVICE_HEAP_UNIT * DEVICE_HEAP_UNIT;
  return 0;
}

/* True if the kernel calls malloc or free. */
static bool calls_heap(const simt_kernel_t *k) {
  for (uint32_t i = 0; i < k->num_ops; i++)
    if (k->ops[i].kind == SIMT_HOST && (k->ops[i].sub == SIMT_HOST_MALLOC || k->ops[i].sub == SIMT_HOST_FREE))
      return true;
  return false;
}

int device_heap_place(device_heap_t *h, const simt_kernel_t *kernel, const simt_store_t *store, trouble_t *err) {
  if (h->base || !calls_heap(kernel)) return 0;
  trouble_t why = {0};
  if (!h->bytes) h->bytes = DEVICE_HEAP_BYTES;
  if (!h->piece && !(h->piece = malloc((h->room = 64) * sizeof *h->piece)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  if (!(h->base = store->allocate(store->machine, h->bytes, &why)))
    return trouble_fail(err, why.kind, "a heap of %" PRIu64 " bytes: %s", h->bytes, why.text);
  h->piece[0] = (device_piece_t){h->base, h->bytes, false};
  h->pieces = 1;
  return 0;
}

/* Splits a piece; the first part has so many bytes. -1: out of host memory. */
static int split_piece(device_heap_t *h, size_t i, uint64_t bytes) {
  if (h->pieces == h->room) {
    device_piece_t *more = realloc(h->piece, 2 * h->room * sizeof *more);
    if (!more) return -1;
    h->piece = more, h->room *= 2;
  }
  memmove(&h->piece[i + 1], &h->piece[i], (h->pieces++ - i) * sizeof *h->piece);
  h->piece[i].bytes = bytes;
  h->piece[i + 1].at += bytes;
  h->piece[i + 1].bytes -= bytes;
  return 0;
}

int device_heap_take(device_heap_t *h, uint64_t bytes, uint64_t *address) {
  *address = 0;
  if (!bytes || bytes > h->bytes) return 0;
  bytes = (bytes + DEVICE_HEAP_UNIT - 1) / DEVICE_HEAP_UNIT * DEVICE_HEAP_UNIT;
  size_t i = 0;
  while (i < h->pieces && (h->piece[i].taken || h->piece[i].bytes < bytes)) i++;
  if (i == h->pieces) return 0;
  if (h->piece[i].bytes > bytes && split_piece(h, i, bytes)) return -1;
  h->piece[i].taken = true;
  *address = h->piece[i].at;
  return 0;
}

/* Merges a free piece with a free one behind it. */
static void merge_pieces(device_heap_t *h, size_t i) {
  if (i + 1 >= h->pieces || h->piece[i].taken || h->piece[i + 1].taken) return;
  h->piece[i].bytes += h->piece[i + 1].bytes;
  memmove(&h->piece[i + 1], &h->piece[i + 2], (--h->pieces - i - 1) * sizeof *h->piece);
}

/* Pieces are sorted by address, so the search is binary. */
int device_heap_give(device_heap_t *h, uint64_t address) {
  size_t low = 0, high = h->pieces;
  if (!address) return 0;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (h->piece[middle].at < address) low = middle + 1;
    else high = middle;
  }
  if (low == h->pieces || h->piece[low].at != address || !h->piece[low].taken) return -1;
  h->piece[low].taken = false;
  merge_pieces(h, low);
  if (low) merge_pieces(h, low - 1);
  return 0;
}

void device_heap_free(device_heap_t *h) {
  free(h->piece);
  *h = (device_heap_t){0};
}
