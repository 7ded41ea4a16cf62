/* SPDX-License-Identifier: Apache-2.0
 *
 * The wires of tom_ranges, and its queue of addresses.
 */
#include "tom_marks.h"

#include <string.h>

#include "page_table.h"
#include "tom_ranges_ports.h"

_Static_assert(TOM_MARKS_ENTRIES == Entries, "a table of as many");

int tom_marks_init(tom_marks_t *m, const struct block_engine *const *engines) {
  *m = (tom_marks_t){.queue = {.size = sizeof(uint64_t)}};
  return offload_instance_open(&m->instance, engines, 0);
}

void tom_marks_deinit(tom_marks_t *m) {
  offload_instance_close(&m->instance);
  ring_deinit(&m->queue);
}

static const tom_ranges_out_t *out_of(const tom_marks_t *m) {
  return offload_instance_out(&m->instance);
}

/* Clock edge with the number of entries. */
static void step_instance(tom_marks_t *m, tom_ranges_in_t *in, trouble_t *fault) {
  in->count = m->entries;
  offload_instance_step(&m->instance, in, fault);
}

void tom_marks_tick(tom_marks_t *m, trouble_t *fault) {
  tom_ranges_in_t in = {0};
  if (tom_marks_idle(m)) return;
  if (m->queue.count && out_of(m)->q_ready) {
    in.q_valid = 1, in.q_addr = *(const uint64_t *)ring_front(&m->queue);
    ring_drop(&m->queue);
  }
  step_instance(m, &in, fault);
}

bool tom_marks_idle(const tom_marks_t *m) {
  return !m->queue.count && !out_of(m)->busy;
}

/* The host waits, without time, until all addresses are looked up. */
static void wait_until_idle(tom_marks_t *m, trouble_t *fault) {
  while (!tom_marks_idle(m) && !fault->kind) tom_marks_tick(m, fault);
}

/* Pages sent before may belong to a new entry, so all are sent again. */
void tom_marks_write(tom_marks_t *m, unsigned entry, uint64_t start, uint64_t bytes, unsigned entries,
                     trouble_t *fault) {
  tom_ranges_in_t in = {.cfg_valid = 1, .cfg_idx = entry, .cfg_start = start, .cfg_bytes = bytes};
  wait_until_idle(m, fault);
  m->entries = entries;
  step_instance(m, &in, fault);
  memset(m->sent, 0, sizeof m->sent);
}

bool tom_marks_read_now(tom_marks_t *m, unsigned entry, trouble_t *fault) {
  tom_ranges_in_t in = {.rd_idx = entry};
  wait_until_idle(m, fault);
  step_instance(m, &in, fault);
  return out_of(m)->rd_mark;
}

/* An SM remembers a few pages that it has sent. */
bool tom_marks_access(tom_marks_t *m, unsigned sm, uint64_t vaddr) {
  const uint64_t page = vaddr / PAGE_BYTES;
  uint64_t *sent = &m->sent[sm][page % TOM_MARKS_PAGES];
  if (*sent == page + 1) return true;
  *sent = page + 1;
  return ring_put(&m->queue, &vaddr);
}

bool tom_marks_read(tom_marks_t *m, trouble_t *fault) {
  tom_ranges_in_t in = {.rd_idx = m->reads};
  if (m->reads) m->marked[m->reads - 1] = out_of(m)->rd_mark;
  if (m->reads == m->entries) return true;
  m->reads++;
  step_instance(m, &in, fault);
  return false;
}
