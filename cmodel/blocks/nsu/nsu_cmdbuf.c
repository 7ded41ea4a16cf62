/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands by entry, and a queue of the complete ones. Numbers in brackets are rules of the port
 * file.
 */
#include "nsu_cmdbuf.h"

#include <assert.h>
#include <stddef.h>

/* Clears everything before `line`, where the memory begins. */
void nsu_cmdbuf_reset(nsu_cmdbuf_t *s) {
  memset(s, 0, offsetof(nsu_cmdbuf_t, line));
}

void nsu_cmdbuf_eval_control(const nsu_cmdbuf_t *s, nsu_cmdbuf_out_t *out) {
  static const nsu_cmdbuf_entry_t none = {0};
  const nsu_cmdbuf_entry_t *oldest = s->queued ? &s->entry[s->queue[0]] : &none;
  out->err_overflow = s->err_overflow;
  out->err_beat = s->err_beat;
  out->sp_valid = s->queued > 0;
  out->sp_sm = oldest->sm;
  out->sp_warp = oldest->warp;
  out->sp_pc = oldest->pc;
  out->sp_mask = oldest->mask;
  out->sp_cbase = oldest->cbase;
  out->sp_count = oldest->count;
  out->sp_idx = s->queued ? s->queue[0] : 0;
  out->probe_alloc = s->probe_alloc;
  out->probe_alloc_idx = s->probe_alloc ? s->probe_alloc_idx : 0;
  out->probe_level = 0;
  for (unsigned i = 0; i < CmdBufDepth; i++) out->probe_level += s->entry[i].busy;
}

void nsu_cmdbuf_eval(const nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in, nsu_cmdbuf_out_t *out) {
  (void)in;
  nsu_cmdbuf_eval_control(s, out);
  memcpy(out->rd_data, s->rd_data, sizeof s->rd_data);
}

/* Beat 0 takes the lowest free entry [2]. Returns false if the command is dropped. */
static bool nsu_cmdbuf_allocate(nsu_cmdbuf_t *s, const uint32_t *hdr) {
  unsigned i = 0, count = (unsigned)HDR_GET(hdr, count);
  while (i < CmdBufDepth && s->entry[i].busy) i++;
  s->err_overflow = i == CmdBufDepth || count > CmdRegs;
  if (s->err_overflow) return false;
  s->entry[i] = (nsu_cmdbuf_entry_t){.busy = true,
                                     .count = (uint8_t)count,
                                     .sm = (uint8_t)HDR_GET(hdr, sm),
                                     .warp = (uint8_t)HDR_GET(hdr, warp),
                                     .mask = (uint32_t)HDR_GET(hdr, mask),
                                     .pc = HDR_GET(hdr, addr),
                                     .cbase = HDR_GET(hdr, cbase)};
  s->receiving = s->probe_alloc_idx = i;
  s->probe_alloc = true;
  return true;
}

/* A beat out of order is dropped [1]. The last beat puts the command into the spawn queue [4]. */
static void nsu_cmdbuf_receive(nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in) {
  unsigned beat = (unsigned)HDR_GET(in->wr_hdr, beat);
  s->err_beat = beat != s->expected;
  if (s->err_beat) return;
  if (beat == 0 && !nsu_cmdbuf_allocate(s, in->wr_hdr)) return;
  unsigned count = s->entry[s->receiving].count;
  if (count > 0) memcpy(s->line[s->receiving][beat], in->wr_data, sizeof s->rd_data);
  if (beat + 1 < count) {
    s->expected = beat + 1;
    return;
  }
  s->expected = 0;
  s->queue[s->queued++] = s->receiving;
}

/* The read and the take come before the beat: both see the state at the beginning of the cycle. */
void nsu_cmdbuf_step(nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in) {
  s->err_overflow = s->err_beat = s->probe_alloc = false;
  if (in->rd_en) {
    assert(in->rd_idx < CmdBufDepth && in->rd_beat < CmdRegs);
    memcpy(s->rd_data, s->line[in->rd_idx][in->rd_beat], sizeof s->rd_data);
  }
  if (s->queued && in->sp_ready) memmove(s->queue, s->queue + 1, --s->queued * sizeof *s->queue);
  if (in->wr_valid) nsu_cmdbuf_receive(s, in);
  if (in->free_en) { /* after the allocation: the entry is free from the next cycle on [8] */
    assert(in->free_idx < CmdBufDepth && s->entry[in->free_idx].busy);
    s->entry[in->free_idx].busy = false;
  }
}

bool nsu_cmdbuf_idle(const nsu_cmdbuf_t *s) {
  return !s->err_overflow && !s->err_beat && !s->probe_alloc;
}
