/* SPDX-License-Identifier: Apache-2.0
 *
 * Read-only lines of NSUs, as the GPU tracks them. read_only.h has the protocol and its proof.
 */
#include "read_only.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_packet.h"
#include "page_table.h"

enum { UNITS = 16, STACK_PAGES = STACK_ADDRESS_BYTES >> PAGE_SHIFT, MARK_BITS = 64 };

/* A line of an NSU. */
typedef struct {
  uint64_t line, used; /* used: time of the last answer with the line */
  uint32_t words;      /* words that the NSU has, one bit each; 0: free */
} entry_t;

struct read_only {
  gpu_stats_t *stats;
  unsigned stacks, lines;
  uint64_t time;
  uint64_t *written; /* a mark for each page of each stack */
  entry_t entry[];   /* [stacks][UNITS][lines] */
};

static size_t count_entries(const read_only_t *r) {
  return (size_t)r->stacks * UNITS * r->lines;
}

static size_t mark_words(const read_only_t *r) {
  return (size_t)r->stacks * STACK_PAGES / MARK_BITS;
}

read_only_t *read_only_new(const gpu_config_t *c, gpu_stats_t *stats) {
  read_only_t *r = calloc(1, sizeof *r + (size_t)c->num_stacks * UNITS * c->nsu.read_only_lines * sizeof *r->entry);
  if (!r) return NULL;
  r->stats = stats, r->stacks = c->num_stacks, r->lines = c->nsu.read_only_lines;
  r->written = calloc(mark_words(r), sizeof *r->written);
  if (r->written) return r;
  read_only_free(r);
  return NULL;
}

void read_only_free(read_only_t *r) {
  if (r) free(r->written);
  free(r);
}

void read_only_launch(read_only_t *r) {
  memset(r->written, 0, mark_words(r) * sizeof *r->written);
  memset(r->entry, 0, count_entries(r) * sizeof *r->entry);
}

/* ---- What is written ------------------------------------------------------------------------- */

static uint64_t page_of(uint64_t paddr) {
  return paddr >> PAGE_SHIFT;
}

static uint64_t bit_of(uint64_t paddr) {
  return UINT64_C(1) << page_of(paddr) % MARK_BITS;
}

/* Word with a page's mark; NULL: host memory during learning, which no NSU reads. */
static uint64_t *marks_of(const read_only_t *r, uint64_t paddr) {
  return stack_of(paddr) < r->stacks ? &r->written[page_of(paddr) / MARK_BITS] : NULL;
}

/* True: the page has a mark, so its lines may not be kept. */
static bool is_written(const read_only_t *r, uint64_t paddr) {
  const uint64_t *marks = marks_of(r, paddr);
  return !marks || (*marks & bit_of(paddr));
}

/* Drops all lines of a page at all NSUs. */
static void drop_page_lines(read_only_t *r, uint64_t page) {
  for (entry_t *e = r->entry; e < r->entry + count_entries(r); e++) {
    if (!e->words || page_of(e->line) != page) continue;
    e->words = 0;
    r->stats->read_only_drops++;
  }
}

void read_only_write(read_only_t *r, uint64_t paddr) {
  if (is_written(r, paddr)) return;
  *marks_of(r, paddr) |= bit_of(paddr);
  drop_page_lines(r, page_of(paddr));
}

void read_only_store(read_only_t *r, const uint64_t *line, unsigned count) {
  for (unsigned i = 0; i < count; i++) read_only_write(r, line[i]);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Bytes of an answer in one of its forms; the packet then has that form. */
static unsigned bytes_as(packet_t *p, packet_kept_t kept) {
  p->kept = kept;
  return packet_bytes(p);
}

static unsigned flits_as(packet_t *p, packet_kept_t kept) {
  p->kept = kept;
  return packet_flits(p);
}

/* True if the NSU may keep the answer's data: 4-byte words, no mark, and a flit is saved without
 * data. */
static bool may_keep(const read_only_t *r, packet_t *p) {
  return r && p->hdr.size == 2 && !is_written(r, p->hdr.addr) && flits_as(p, PACKET_NAMES) < flits_as(p, PACKET_PLAIN);
}

void read_only_answer(const read_only_t *r, packet_t *p, const uint32_t *words) {
  gpu_packet_rdf_response(p, words);
  if (may_keep(r, p)) p->kept = PACKET_MAY_KEEP;
  else packet_make_plain(p);
}

/* Words of the line that an answer has, one bit each. */
static uint32_t answer_words(const packet_t *p) {
  uint32_t words = 0;
  if (p->hdr.aligned) return (uint32_t)p->hdr.mask;
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) words |= 1u << p->hdr.offs[__builtin_ctz(m)] / 4;
  return words;
}

/* The NSU's entry with the line; else a free one, else the least recently used one. */
static entry_t *find_entry(const read_only_t *r, entry_t *first, uint64_t line) {
  entry_t *last = first;
  for (entry_t *e = first; e < first + r->lines; e++) {
    if (e->words && e->line == line) return e;
    if (last->words && (!e->words || e->used < last->used)) last = e;
  }
  return last;
}

/* The answer names the line, and goes without data. */
static void answer_with_name(const read_only_t *r, packet_t *p) {
  const unsigned plain = bytes_as(p, PACKET_PLAIN);
  memset(p->data[0], 0, sizeof p->data[0]);
  r->stats->read_only_hits++;
  r->stats->read_only_saved += plain - bytes_as(p, PACKET_NAMES);
}

/* The answer has data, which the NSU keeps. */
static void answer_with_data(const read_only_t *r, packet_t *p) {
  const unsigned plain = bytes_as(p, PACKET_PLAIN);
  r->stats->read_only_fills++;
  r->stats->read_only_added += bytes_as(p, PACKET_KEEPS) - plain;
}

/* Decides the form of an answer, and updates the NSU's entry as the NSU will. */
static void look_up_answer(read_only_t *r, packet_t *p) {
  entry_t *first = &r->entry[((size_t)p->hdr.dst * UNITS + p->dst_unit) * r->lines],
          *e = find_entry(r, first, p->hdr.addr);
  const uint32_t words = answer_words(p);
  if (e->line != p->hdr.addr) *e = (entry_t){.line = p->hdr.addr};
  p->line = (uint8_t)(e - first);
  if ((e->words & words) == words) answer_with_name(r, p);
  else answer_with_data(r, p);
  e->words |= words;
  e->used = ++r->time;
}

int read_only_leave(read_only_t *r, packet_t *p) {
  const unsigned before = packet_bytes(p);
  if (is_written(r, p->hdr.addr)) packet_make_plain(p);
  else look_up_answer(r, p);
  return (int)packet_bytes(p) - (int)before;
}
