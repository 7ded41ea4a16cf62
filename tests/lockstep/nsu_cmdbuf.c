/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_cmdbuf: commands of one or more beats, a spawn port, reads, and entries that are
 * freed. `allocated` follows the entries in use.
 */
#include "nsu_cmdbuf.h"

#include "nsu_stim.h"

enum { MIXED, FULL, ONE_BEAT, SLOW_SPAWN, ERRORS };

/* mixed keeps few entries in use, and each command leaves soon.
 *  full: entries are freed in any order while a new command waits.
 *  one-beat: no command needs a second beat.
 *  slow-spawn: the queue holds all commands.
 *  errors: dropped beats, which no other profile sends. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "commands of any size, read and freed soon"},
    [FULL] = {"full", "nearly always full, entries freed in any order"},
    [ONE_BEAT] = {"one-beat", "commands without registers or with one, all at once"},
    [SLOW_SPAWN] = {"slow-spawn", "a long spawn queue"},
    [ERRORS] = {"errors", "beats out of order, too many registers, no free entry"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned allocated;   /* entries, as registered */
  unsigned beat, count; /* of the command being sent; beat 0: none is */
  bool took;            /* sp_ready of the last cycle */
  unsigned spawned;     /* commands that have left the queue and are not freed: */
  struct {
    uint8_t idx, count;
  } command[CmdBufDepth];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* Notes a command that left the queue in the last cycle. */
static void see_spawn(state_t *s, const nsu_cmdbuf_out_t *out) {
  if (!out->sp_valid || !s->took) return;
  s->command[s->spawned].idx = (uint8_t)out->sp_idx;
  s->command[s->spawned++].count = (uint8_t)out->sp_count;
}

/* One beat of the command being sent, or the first beat of a new one if an entry is free. */
static void send_beat(state_t *s, nsu_cmdbuf_in_t *in) {
  bool errors = s->profile == ERRORS;
  unsigned most = s->profile == ONE_BEAT ? 1 : CmdRegs;
  bool starts = s->beat == 0, free_entry = s->allocated < CmdBufDepth;
  if (starts && !free_entry && !(errors && chance8(&s->rng, 2))) return;
  in->wr_valid = 1;
  stim_header(&s->rng, in->wr_hdr);
  rng_fill(&s->rng, in->wr_data, PKT_LINE_BITS);
  unsigned count = starts ? (unsigned)rng_below(&s->rng, most + 1) : s->count, beat = s->beat;
  if (errors && starts && chance8(&s->rng, 1)) count = (unsigned)rng_bits(&s->rng, 3);
  if (errors && chance8(&s->rng, 1)) beat = (unsigned)rng_bits(&s->rng, 3);
  if (s->profile == MIXED) HDR_SET(in->wr_hdr, type, PKT_CMD); /* the type was checked before; the block ignores it */
  HDR_SET(in->wr_hdr, beat, beat);
  if (starts) HDR_SET(in->wr_hdr, count, count);                               /* ignored in later beats */
  if (beat != s->beat || (starts && (!free_entry || count > CmdRegs))) return; /* dropped */
  if (starts) {
    s->count = count;
    s->allocated++;
  }
  s->beat = beat + 1 < s->count ? beat + 1 : 0;
}

/* Reads a line of a spawned command, and frees an entry at the given rate of 8. */
static void read_and_free(state_t *s, nsu_cmdbuf_in_t *in, unsigned rate) {
  if (!s->spawned) return;
  unsigned i = (unsigned)rng_below(&s->rng, s->spawned);
  if (chance8(&s->rng, 4)) {
    bool stale = s->command[i].count == 0 || chance8(&s->rng, 1); /* lines that an earlier command left */
    in->rd_en = 1;
    in->rd_idx = s->command[i].idx;
    in->rd_beat = rng_below(&s->rng, stale ? CmdRegs : s->command[i].count);
  }
  if (!chance8(&s->rng, rate)) return;
  in->free_en = 1;
  in->free_idx = s->command[i].idx;
  s->command[i] = s->command[--s->spawned];
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_cmdbuf_in_t *in = in_bytes;
  (void)cycle;
  see_spawn(s, out);
  if (chance8(&s->rng, s->profile == MIXED ? 4 : 7)) send_beat(s, in);
  read_and_free(s, in, s->profile == FULL || s->profile == ERRORS ? 1 : s->profile == ONE_BEAT ? 6 : 3);
  s->allocated -= (unsigned)in->free_en; /* free from the next cycle on */
  in->sp_ready = s->profile == SLOW_SPAWN ? rng_chance(&s->rng, 1, 24) : chance8(&s->rng, 6);
  s->took = in->sp_ready;
}

STIM_RESET

STIM_DEFINE(nsu_cmdbuf, .reset = reset)
