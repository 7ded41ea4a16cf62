/* SPDX-License-Identifier: Apache-2.0
 *
 * A store's pending threads; each accepted packet takes those of one line. Numbers in brackets are
 * rules of the port file.
 */
#include "nsu_wgen.h"

void nsu_wgen_reset(nsu_wgen_t *s) {
  memset(s, 0, sizeof *s);
}

/* The address of the line that holds addr. */
static uint64_t nsu_wgen_line_of(uint64_t addr) {
  return addr & ~(uint64_t)(PKT_LINE_BYTES - 1);
}

/* The line of the lowest pending thread; some thread is pending. */
static uint64_t nsu_wgen_line(const nsu_wgen_t *s) {
  unsigned i = 0;
  while (!(s->pending >> i & 1)) i++;
  return nsu_wgen_line_of(s->addr[i]);
}

/* The pending threads whose address lies in the line. */
static uint32_t nsu_wgen_threads(const nsu_wgen_t *s, uint64_t line) {
  uint32_t threads = 0;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    if ((s->pending >> i & 1) && nsu_wgen_line_of(s->addr[i]) == line) threads |= 1u << i;
  return threads;
}

/* Rules 5 and 6. A packet is aligned only if all of its threads have their regular address. */
static void nsu_wgen_header(const nsu_wgen_t *s, uint64_t stack_id, uint64_t line, uint32_t threads, uint32_t *hdr) {
  bool aligned = true;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    if ((threads >> i & 1) && s->addr[i] != line + (i << s->size)) aligned = false;
  memset(hdr, 0, PKT_HDR_WORDS * sizeof *hdr);
  HDR_SET(hdr, type, PKT_WRITE);
  HDR_SET(hdr, src, stack_id);
  HDR_SET(hdr, dst, line >> PKT_STACK_LSB);
  HDR_SET(hdr, target, stack_id);
  HDR_SET(hdr, sm, s->sm);
  HDR_SET(hdr, warp, s->warp);
  HDR_SET(hdr, seq, s->seq);
  HDR_SET(hdr, slot, s->slot);
  HDR_SET(hdr, addr, line);
  HDR_SET(hdr, mask, threads);
  HDR_SET(hdr, lmask, s->mask);
  HDR_SET(hdr, size, s->size);
  HDR_SET(hdr, aligned, aligned);
  for (unsigned i = 0; !aligned && i < PKT_WARP_WIDTH; i++)
    if (threads >> i & 1) hdr_set_offs(hdr, i, (unsigned)(s->addr[i] - line));
}

/* Rule 7: data cut to the store's size, 0 for threads of other packets. */
static void nsu_wgen_words(const nsu_wgen_t *s, uint32_t threads, uint32_t *words) {
  uint32_t cut = s->size == 0 ? 0xff : s->size == 1 ? 0xffff : 0xffffffff;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) words[i] = threads >> i & 1 ? s->data[i] & cut : 0;
}

void nsu_wgen_eval(const nsu_wgen_t *s, const nsu_wgen_in_t *in, nsu_wgen_out_t *out) {
  out->ready = !s->busy;
  out->wr_valid = s->pending != 0;
  out->done = s->busy && s->pending == 0;
  if (!s->pending) return;
  uint64_t line = nsu_wgen_line(s);
  uint32_t threads = nsu_wgen_threads(s, line);
  nsu_wgen_header(s, in->stack_id, line, threads, out->wr_hdr);
  nsu_wgen_words(s, threads, out->wr_data);
  out->done = in->wr_ready && threads == s->pending;
}

/* A store without threads ends in the cycle after its start. */
void nsu_wgen_step(nsu_wgen_t *s, const nsu_wgen_in_t *in) {
  if (s->busy) {
    if (s->pending && in->wr_ready) s->pending &= ~nsu_wgen_threads(s, nsu_wgen_line(s));
    else if (s->pending) return;
    s->busy = s->pending != 0;
  } else if (in->start) {
    *s = (nsu_wgen_t){.busy = true,
                      .slot = (uint8_t)in->slot,
                      .sm = (uint8_t)in->sm,
                      .warp = (uint8_t)in->warp,
                      .seq = (uint8_t)in->seq,
                      .size = (uint8_t)in->size,
                      .mask = (uint32_t)in->mask,
                      .pending = (uint32_t)in->mask};
    for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) s->addr[i] = bits_get(in->addrs, i * PKT_ADDR_BITS, PKT_ADDR_BITS);
    memcpy(s->data, in->data, sizeof s->data);
  }
}

bool nsu_wgen_idle(const nsu_wgen_t *s) {
  return !s->busy;
}
