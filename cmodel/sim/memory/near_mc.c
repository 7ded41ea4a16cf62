/* SPDX-License-Identifier: Apache-2.0
 *
 * A vault schedules. Here is what it does not know: addresses, tags, data, credits and the one
 * answer a cycle. The vault hands out ends in the order in which data pass the I/O, which for
 * one address is the order of the requests. So moving the data with the answer keeps that order.
 */
#include "near_mc.h"

#include <assert.h>
#include <string.h>

enum { LINE = 128 }; /* of the memory image */

near_mc_config_t near_mc_config_default(void) {
  near_mc_config_t c = {.vault = vault_default_config(), .column_bits = 6};
  c.vault.banks = NEAR_MC_BANKS;
  c.vault.row_buffers = NEAR_MC_ROW_BUFFERS;
  c.vault.queue = 8;
  c.vault.bank_io = true;
#define NEAR_TIMING(name, value) c.vault.timing.name = value;
#include "near_timing.def"
  return c;
}

/* Most requests pushed and not answered: the queue, and those under way. There is one command
 * and one answer a cycle, but answers bunch by as much as read and write latency differ. */
static unsigned most_held(const near_mc_config_t *c) {
  const dram_timing_t *t = &c->vault.timing;
  unsigned least = t->tCL < t->CWL ? t->tCL : t->CWL, most = t->tCL > t->CWL ? t->tCL : t->CWL;
  return c->vault.queue + most + (most - least) + t->BL + 1;
}

/* Where the address's fields begin, and their widths (near_mc.h). */
static unsigned bank_shift(const near_mc_config_t *c) {
  return NEAR_MC_BYTE_BITS + c->column_bits - c->turn_bits;
}

static unsigned bank_bits(const near_mc_config_t *c) {
  return (unsigned)__builtin_ctz(c->vault.banks);
}

static unsigned row_shift(const near_mc_config_t *c) {
  return NEAR_MC_BYTE_BITS + c->column_bits + bank_bits(c);
}

unsigned near_mc_row_bits(const near_mc_config_t *c) {
  return NEAR_MC_ADDR_BITS - row_shift(c);
}

bool near_mc_check_config(const near_mc_config_t *c, trouble_t *trouble) {
  if (!vault_check_config(&c->vault, trouble)) return false;
  if (c->vault.banks & (c->vault.banks - 1)) return trouble_set(trouble, TROUBLE_INPUT, "banks must be a power of two");
  if (c->vault.queue > NEAR_MC_MAX_QUEUE) return trouble_set(trouble, TROUBLE_INPUT, "queue must be 1 to 64 entries");
  if (c->column_bits > NEAR_MC_MAX_COLUMN_BITS)
    return trouble_set(trouble, TROUBLE_INPUT, "column_bits must be 0 to 12");
  if (c->turn_bits > c->column_bits) return trouble_set(trouble, TROUBLE_INPUT, "turn_bits must be 0 to column_bits");
  if (most_held(c) > VAULT_RING)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "tCL, CWL and BL leave too many transfers under way: with queue and what tCL and CWL differ they must stay "
        "below 256");
  return true;
}

void near_mc_init(near_mc_t *mc, const near_mc_config_t *config, memory_image_t *image, uint64_t base) {
  assert(near_mc_check_config(config, &(trouble_t){0}) && base % NEAR_MC_BYTES == 0);
  memset(mc, 0, sizeof *mc);
  mc->config = *config;
  mc->config.vault.held = most_held(config);
  mc->image = image;
  mc->base = base;
  mc->answer_at = mc->credit_at = VAULT_NEVER;
  mc->bank_shift = bank_shift(config);
  mc->bank_bits = bank_bits(config);
  mc->row_shift = row_shift(config);
  for (unsigned i = 0; i < VAULT_RING; i++) mc->held[i].next = (uint16_t)(i + 1);
  vault_init(&mc->vault, &mc->config.vault);
  mc->due = vault_next_event(&mc->vault);
}

uint32_t near_mc_addr(const near_mc_config_t *c, unsigned bank, uint32_t row, uint32_t column) {
  const unsigned low = c->column_bits - c->turn_bits;
  return row << row_shift(c) | column >> low << (bank_shift(c) + bank_bits(c)) | bank << bank_shift(c) |
         (column & ((UINT32_C(1) << low) - 1)) << NEAR_MC_BYTE_BITS;
}

/* An address without its bank's bits. */
static uint32_t strip_bank_bits(const near_mc_t *mc, uint32_t addr) {
  const uint32_t low = addr & ((UINT32_C(1) << mc->bank_shift) - 1);
  return addr >> (mc->bank_shift + mc->bank_bits) << mc->bank_shift | low;
}

void near_mc_push(near_mc_t *mc, const near_mc_request_t *r, uint64_t now) {
  assert(near_mc_can_push(mc) && mc->due > now); /* this cycle was stepped */
  assert(r->addr >> NEAR_MC_ADDR_BITS == 0 && (!r->modify || (r->write && mc->modify)));
  uint16_t i = mc->unused;
  mc->unused = mc->held[i].next;
  mc->held[i].request = *r;
  if (near_mc_idle(mc)) mc->busy_since = now;
  vault_request_t v = {.column = (strip_bank_bits(mc, r->addr) >> NEAR_MC_BYTE_BITS) &
                                 ((UINT32_C(1) << mc->config.column_bits) - 1),
                       .row = r->addr >> mc->row_shift,
                       .bank = (uint16_t)((r->addr >> mc->bank_shift) & (mc->config.vault.banks - 1)),
                       .bursts = 1,
                       .write = r->write,
                       .user = (void *)(uintptr_t)i};
  vault_push(&mc->vault, &v, now);
  mc->due = vault_next_event(&mc->vault);
}

/* A write's bytes go into the image; with `modify`, what the owner makes of the bytes there. */
static void write_masked(near_mc_t *mc, uint64_t addr, const near_mc_request_t *r) {
  if (!r->mask && !r->modify) return;
  uint8_t *line = memory_image_line_to_write(mc->image, addr);
  if (!line) {
    mc->out_of_memory = true;
    return;
  }
  uint8_t *to = line + addr % LINE;
  if (r->modify) {
    mc->modify(mc->modify_ctx, r->tag, to);
    return;
  }
  if (r->mask == UINT32_MAX) {
    memcpy(to, r->data, NEAR_MC_BYTES);
    return;
  }
  for (uint32_t left = r->mask; left; left &= left - 1) to[__builtin_ctz(left)] = r->data[__builtin_ctz(left)];
}

/* The data of a request that passes the bank's I/O now, and its answer. */
static void move_data(near_mc_t *mc, const near_mc_request_t *r) {
  uint64_t addr = mc->base + r->addr / NEAR_MC_BYTES * NEAR_MC_BYTES;
  mc->answer.tag = r->tag;
  mc->answer.client = r->client;
  mc->answer.write = r->write;
  if (r->write) {
    memset(mc->answer.data, 0, NEAR_MC_BYTES);
    write_masked(mc, addr, r);
  } else {
    memcpy(mc->answer.data, memory_image_line(mc->image, addr) + addr % LINE, NEAR_MC_BYTES);
  }
}

/* The request that the vault has ended: data, place of `held`, latency. */
static void give_answer(near_mc_t *mc, const vault_done_t *done, uint64_t now) {
  uint16_t i = (uint16_t)(uintptr_t)done->user;
  uint64_t latency = now - done->pushed;
  move_data(mc, &mc->held[i].request);
  mc->held[i].next = mc->unused;
  mc->unused = i;
  mc->answer_at = now;
  mc->latency_sum += latency;
  if (latency > mc->latency_max) mc->latency_max = latency;
  if (near_mc_idle(mc)) mc->busy_cycles += now - mc->busy_since;
}

void near_mc_run(near_mc_t *mc, uint64_t now) {
  vault_t *v = &mc->vault;
  vault_done_t done;
  vault_advance(v, now);
  uint64_t served = v->stats.reads + v->stats.writes;
  assert(served - mc->credited <= 1); /* every event was stepped in its cycle */
  if (served != mc->credited) mc->credit_at = now;
  mc->credited = served;
  if (vault_pop(v, now, &done)) give_answer(mc, &done, now);
  uint64_t next = vault_next_event(v);
  mc->due = next > now ? next : now + 1;
}

near_mc_stats_t near_mc_stats(const near_mc_t *mc, uint64_t now) {
  near_mc_stats_t s = {mc->vault.stats, mc->latency_sum, mc->latency_max, mc->busy_cycles};
  if (!near_mc_idle(mc)) s.busy_cycles += now - mc->busy_since;
  return s;
}

void near_mc_clear_stats(near_mc_t *mc, uint64_t now) {
  mc->vault.stats = (vault_stats_t){0};
  mc->credited = 0;
  mc->latency_sum = mc->latency_max = mc->busy_cycles = 0;
  mc->busy_since = now;
}

void near_mc_stats_add(near_mc_stats_t *sum, const near_mc_stats_t *s) {
  vault_stats_add(&sum->dram, &s->dram);
  sum->latency_sum += s->latency_sum;
  sum->busy_cycles += s->busy_cycles;
  if (s->latency_max > sum->latency_max) sum->latency_max = s->latency_max;
}

const char *near_mc_fault(const near_mc_t *mc) {
  return mc->out_of_memory ? "out of memory for a page" : NULL;
}
