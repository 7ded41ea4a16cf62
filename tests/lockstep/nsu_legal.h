/* SPDX-License-Identifier: Apache-2.0
 *
 * What an NSU's environment never does (rtl/nsu/README.md, nsu_packet.def, and the port files of
 * nsu_rx, nsu_tx and the buffers). Packets are judged by their last phit. Instructions are not
 * looked at: illegal ones raise an error of the NSU.
 */
#ifndef NSU_LEGAL_H
#define NSU_LEGAL_H

#include "nsu.h"
#include "nsu_beat.h"
#include "stim.h"

#define NSU_RULES(R)                                                                \
  R(STACK, "another stack number than after reset")                                 \
  R(TYPE, "a packet of a type that no NSU receives")                                \
  R(CLASS, "a packet on the wrong message class")                                   \
  R(COMMAND, "a command without a free entry")                                      \
  R(REGISTERS, "a command with more registers than it can carry")                   \
  R(BEAT, "a command's beat out of order")                                          \
  R(TWICE, "a command for a block that is under way")                               \
  R(LINE, "an address that is no line's")                                           \
  R(READ, "read data without a free entry")                                         \
  R(WRITE, "write addresses without a free entry")                                  \
  R(THREADS, "threads that are none of their load or store, or were there already") \
  R(OTHERS, "another mask or size than its load or store has")                      \
  R(AGAIN, "a load or store that is whole already")                                 \
  R(ACK, "an acknowledgement for a write that was not sent")                        \
  R(FILL, "a fill that nobody asked for")                                           \
  R(OUT_CREDIT, "a credit for a packet that has not come")

#define NSU_RULE(name, text) NSU_RULE_##name,
enum { NSU_RULES(NSU_RULE) NSU_NUM_RULES };
#undef NSU_RULE

enum { LEGAL_BLOCKS = 1 << 14, LEGAL_FETCHES = 128 }; /* ids of SM and warp */

/* A load or store some of whose packets have come. */
typedef struct {
  uint16_t block;
  uint8_t seq, size;
  bool open, store;
  uint32_t mask, lmask;
} legal_part_t;

typedef struct {
  unsigned count;
  uint64_t addr[LEGAL_FETCHES];
} legal_fetches_t;

typedef struct {
  bool begun;
  uint64_t stack_id;
  unsigned in_phits, out_phits; /* of the beats that come and leave */
  uint32_t in[BEAT_WORDS], out[BEAT_WORDS];
  int commands, reads, writes;         /* entries that the GPU has not been told are free */
  unsigned expected, count, receiving; /* beat of the command that is being sent: 0, none; its registers; its block */
  unsigned owed[2];                    /* beats that came out, by class, whose credit was not given back */
  unsigned unacked[64];                /* writes, by slot */
  legal_fetches_t ifetch, cfetch;
  legal_part_t part[RdBufDepth + WrBufDepth];
  struct {
    uint64_t begun; /* loads and stores, by sequence number */
    bool commanded;
  } block[LEGAL_BLOCKS];
} nsu_legal_t;

/* --- from the NSU */

static void legal_told(nsu_legal_t *s, const uint32_t *hdr) {
  s->commands -= (int)HDR_GET(hdr, cr_cmd);
  s->reads -= (int)HDR_GET(hdr, cr_rd);
  s->writes -= (int)HDR_GET(hdr, cr_wr);
  if (HDR_GET(hdr, type) != PKT_OFLD_ACK || HDR_GET(hdr, beat) + 1 < HDR_GET(hdr, count)) return;
  memset(&s->block[HDR_GET(hdr, sm) << 6 | HDR_GET(hdr, warp)], 0, sizeof s->block[0]);
}

static void legal_fetch(legal_fetches_t *fetches, const uint32_t *hdr) {
  if (fetches->count < LEGAL_FETCHES) fetches->addr[fetches->count++] = HDR_GET(hdr, addr);
}

static void legal_see(nsu_legal_t *s, const nsu_out_t *out) {
  const uint32_t *hdr = s->out + LINE_WORDS;
  if (!out->out_valid) return;
  beat_put_phit(s->out, s->out_phits++, PortBits, out->out_phit);
  if (s->out_phits < BEAT_PHITS) return;
  s->out_phits = 0;
  s->owed[out->out_class]++;
  switch (HDR_GET(hdr, type)) {
  case PKT_WRITE: s->unacked[HDR_GET(hdr, slot)]++; break;
  case PKT_IFETCH: legal_fetch(&s->ifetch, hdr); break;
  case PKT_CFETCH: legal_fetch(&s->cfetch, hdr); break;
  default: legal_told(s, hdr); break;
  }
}

/* --- to the NSU */

static int legal_command(nsu_legal_t *s, const uint32_t *hdr) {
  const unsigned block = (unsigned)(HDR_GET(hdr, sm) << 6 | HDR_GET(hdr, warp)), beat = (unsigned)HDR_GET(hdr, beat);
  if (beat != s->expected || (beat && block != s->receiving)) return NSU_RULE_BEAT;
  if (!beat) {
    s->count = (unsigned)HDR_GET(hdr, count);
    s->receiving = block;
    if (s->block[block].commanded) return NSU_RULE_TWICE;
    if (s->count > CmdRegs) return NSU_RULE_REGISTERS;
    if (s->commands++ >= CmdBufDepth) return NSU_RULE_COMMAND;
    s->block[block].commanded = true;
  }
  s->expected = beat + 1 < s->count ? beat + 1 : 0;
  return -1;
}

/* The entry that is still to be completed, or a new one. NULL: *broken says why. */
static legal_part_t *legal_entry(nsu_legal_t *s, const uint32_t *hdr, bool store, int *broken) {
  const unsigned block = (unsigned)(HDR_GET(hdr, sm) << 6 | HDR_GET(hdr, warp)), seq = (unsigned)HDR_GET(hdr, seq);
  legal_part_t *open = NULL;
  for (unsigned i = 0; i < RdBufDepth + WrBufDepth; i++) {
    legal_part_t *p = &s->part[i];
    if (p->open && p->block == block && p->seq == seq && p->store == store) return p;
    if (!p->open && !open) open = p;
  }
  *broken = store ? NSU_RULE_WRITE : NSU_RULE_READ;
  if (s->block[block].begun >> seq & 1) *broken = NSU_RULE_AGAIN;
  else if (open && (store ? s->writes++ < WrBufDepth : s->reads++ < RdBufDepth)) {
    s->block[block].begun |= UINT64_C(1) << seq;
    *open = (legal_part_t){.block = (uint16_t)block,
                           .seq = (uint8_t)seq,
                           .size = (uint8_t)HDR_GET(hdr, size),
                           .open = true,
                           .store = store,
                           .lmask = (uint32_t)HDR_GET(hdr, lmask)};
    return open;
  }
  return NULL;
}

static int legal_memory(nsu_legal_t *s, const uint32_t *hdr, bool store) {
  const uint32_t mask = (uint32_t)HDR_GET(hdr, mask), lmask = (uint32_t)HDR_GET(hdr, lmask);
  int broken = -1;
  if (HDR_GET(hdr, addr) % PKT_LINE_BYTES) return NSU_RULE_LINE;
  legal_part_t *p = legal_entry(s, hdr, store, &broken);
  if (!p) return broken;
  if (p->lmask != lmask || p->size != HDR_GET(hdr, size)) return NSU_RULE_OTHERS;
  if ((mask & ~lmask) || (mask & p->mask) || (!mask && lmask)) return NSU_RULE_THREADS;
  p->mask |= mask;
  p->open = p->mask != lmask;
  return -1;
}

static int legal_fill(legal_fetches_t *fetches, const uint32_t *hdr) {
  for (unsigned i = 0; i < fetches->count; i++)
    if (fetches->addr[i] == HDR_GET(hdr, addr)) {
      fetches->addr[i] = fetches->addr[--fetches->count];
      return -1;
    }
  return NSU_RULE_FILL;
}

static int legal_packet(nsu_legal_t *s, const uint32_t *hdr, unsigned cls) {
  const unsigned type = (unsigned)HDR_GET(hdr, type);
  if (pkt_type_class(type) >= 0 && pkt_type_class(type) != (int)cls) return NSU_RULE_CLASS;
  switch (type) {
  case PKT_CMD: return legal_command(s, hdr);
  case PKT_RDF_RESP: return legal_memory(s, hdr, false);
  case PKT_WTA: return legal_memory(s, hdr, true);
  case PKT_WRITE_ACK: return s->unacked[HDR_GET(hdr, slot)]-- ? -1 : NSU_RULE_ACK;
  case PKT_IFILL: return legal_fill(&s->ifetch, hdr);
  case PKT_CFILL: return legal_fill(&s->cfetch, hdr);
  default: return NSU_RULE_TYPE;
  }
}

static int nsu_broken(void *state, const void *in_bytes, const void *out_bytes) {
  nsu_legal_t *s = state;
  const nsu_in_t *in = in_bytes;
  if (s->begun && in->stack_id != s->stack_id) return NSU_RULE_STACK;
  s->begun = true;
  s->stack_id = in->stack_id;
  legal_see(s, out_bytes);
  for (unsigned cls = 0; cls < 2; cls++)
    if ((in->out_credit >> cls & 1) && !s->owed[cls]--) return NSU_RULE_OUT_CREDIT;
  if (!in->in_valid) return -1;
  beat_put_phit(s->in, s->in_phits++, PortBits, in->in_phit);
  if (s->in_phits < BEAT_PHITS) return -1;
  s->in_phits = 0;
  return legal_packet(s, s->in + LINE_WORDS, (unsigned)in->in_class);
}

#define NSU_RULE(name, text) text,
static const char *const nsu_rules[] = {NSU_RULES(NSU_RULE)};
#undef NSU_RULE

static const legal_t nsu_legal = {nsu_rules, NSU_NUM_RULES, sizeof(nsu_legal_t), nsu_broken};

#endif
