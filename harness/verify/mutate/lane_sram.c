/* SPDX-License-Identifier: Apache-2.0
 *
 * Most lanes use the same address. A row is therefore read or written at once for all lanes of
 * one address. Read data wait until all memories are written: they can be the input of another
 * memory without a gate between.
 */
#include "lane_sram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of the memory's port "CELL.NAME", and the first of them. A memory's input is an output of
 * the netlist. */
static unsigned sram_port(const lanes_t *l, const char *cell, const char *name, bool input,
                          const netlist_bit_t **first) {
  char whole[4096];
  const netlist_t *n = l->netlist;
  snprintf(whole, sizeof whole, "%s.%s", cell, name);
  return netlist_port(input ? n->inputs : n->outputs, input ? n->num_inputs : n->num_outputs, whole, first);
}

/* False: the ports are not those of sram_1r1w. */
static bool find_sram_ports(const lanes_t *l, const char *cell, lane_sram_t *s) {
  const netlist_bit_t *wr_en, *rd_en;
  s->width = sram_port(l, cell, "rd_data_o", true, &s->rd_data);
  s->address = sram_port(l, cell, "wr_addr_i", false, &s->wr_addr);
  s->masks = sram_port(l, cell, "wr_mask_i", false, &s->wr_mask);
  bool ok = s->address && s->masks && s->width % s->masks == 0 &&
            sram_port(l, cell, "rd_addr_i", false, &s->rd_addr) == s->address &&
            sram_port(l, cell, "wr_data_i", false, &s->wr_data) == s->width &&
            sram_port(l, cell, "wr_en_i", false, &wr_en) == 1 && sram_port(l, cell, "rd_en_i", false, &rd_en) == 1;
  if (!ok) return false;
  s->wr_en = wr_en->lit;
  s->rd_en = rd_en->lit;
  return true;
}

bool lane_srams_find(lanes_t *l) {
  static const char suffix[] = ".rd_data_o";
  const netlist_t *n = l->netlist;
  for (unsigned i = 0; i < n->num_inputs; i++) {
    const char *name = n->inputs[i].name;
    size_t length = strlen(name), end = sizeof suffix - 1;
    if (n->inputs[i].bit || length <= end || strcmp(name + length - end, suffix)) continue;
    lane_sram_t *more = realloc(l->srams, (l->num_srams + 1) * sizeof *more);
    char *cell = strndup(name, length - end);
    if (more) l->srams = more, more[l->num_srams] = (lane_sram_t){0};
    bool ok = more && cell && find_sram_ports(l, cell, &more[l->num_srams]);
    free(cell);
    if (!ok) return false;
    l->num_srams++;
  }
  return true;
}

void lane_srams_free(lanes_t *l) {
  for (unsigned i = 0; i < l->num_srams; i++) {
    free(l->srams[i].rows);
    free(l->srams[i].read);
  }
  free(l->srams);
}

bool lane_srams_power_up(lanes_t *l) {
  for (unsigned i = 0; i < l->num_srams; i++) {
    lane_sram_t *s = &l->srams[i];
    free(s->rows);
    free(s->read);
    /* pages that are never written cost nothing */
    s->rows = calloc(((size_t)s->width * l->words) << s->address, sizeof *s->rows);
    s->read = calloc((size_t)s->width * l->words, sizeof *s->read);
    if (!s->rows || !s->read) return false;
    for (unsigned b = 0; b < s->width; b++) lanes_set(l, s->rd_data[b].lit / 2, false);
  }
  return true;
}

/* Word w of a literal in all its lanes. */
static uint64_t shown_word(const lanes_t *l, lit_t lit, unsigned w) {
  lit = l->stands_for[lit / 2] ^ (lit & 1);
  return l->values[(size_t)(lit / 2) * l->words + w] ^ -(uint64_t)(lit & 1);
}

/* Takes the address of the first lane in `left`. All lanes with this address go from `left` to
 * `same`. False: `left` is empty. */
static bool next_address(const lanes_t *l, const netlist_bit_t *address, unsigned bits, uint64_t *left, uint64_t *same,
                         size_t *row) {
  unsigned first = 0;
  while (first < l->words && !left[first]) first++;
  if (first == l->words) return false;
  unsigned lane = first * 64 + (unsigned)__builtin_ctzll(left[first]);
  *row = 0;
  memcpy(same, left, l->words * sizeof *same);
  for (unsigned b = 0; b < bits; b++) {
    bool one = lanes_value(l, address[b].lit, lane);
    *row |= (size_t)one << b;
    for (unsigned w = 0; w < l->words; w++) same[w] &= ~(shown_word(l, address[b].lit, w) ^ -(uint64_t)one);
  }
  for (unsigned w = 0; w < l->words; w++) left[w] &= ~same[w];
  return true;
}

/* Where the lanes see bit `bit` of the read data. */
static uint64_t *read_data_words(const lanes_t *l, const lane_sram_t *s, unsigned bit) {
  return l->values + (size_t)(s->rd_data[bit].lit / 2) * l->words;
}

/* Collects the rows of all addresses into s->read. Lanes that do not read keep what they show. */
static void read_rows(lanes_t *l, lane_sram_t *s, const uint64_t *live) {
  uint64_t left[LANES_MANY], same[LANES_MANY];
  size_t row;
  for (unsigned w = 0; w < l->words; w++) left[w] = live[w] & shown_word(l, s->rd_en, w);
  s->reads = false;
  while (next_address(l, s->rd_addr, s->address, left, same, &row)) {
    const uint64_t *from = s->rows + row * s->width * l->words;
    for (unsigned b = 0; b < s->width; b++) {
      const uint64_t *before = s->reads ? s->read + b * l->words : read_data_words(l, s, b);
      for (unsigned w = 0; w < l->words; w++)
        s->read[b * l->words + w] = (before[w] & ~same[w]) | (from[b * l->words + w] & same[w]);
    }
    s->reads = true;
  }
}

/* Writes the bits that the mask allows. */
static void write_rows(lanes_t *l, lane_sram_t *s, const uint64_t *live) {
  uint64_t left[LANES_MANY], same[LANES_MANY];
  size_t row;
  for (unsigned w = 0; w < l->words; w++) left[w] = live[w] & shown_word(l, s->wr_en, w);
  while (next_address(l, s->wr_addr, s->address, left, same, &row)) {
    uint64_t *to = s->rows + row * s->width * l->words;
    unsigned each = s->width / s->masks;
    for (unsigned b = 0; b < s->width; b++)
      for (unsigned w = 0; w < l->words; w++) {
        uint64_t mask = same[w] & shown_word(l, s->wr_mask[b / each].lit, w);
        if (mask) to[b * l->words + w] = (to[b * l->words + w] & ~mask) | (shown_word(l, s->wr_data[b].lit, w) & mask);
      }
  }
}

static void show_rows(lanes_t *l, const lane_sram_t *s) {
  for (unsigned b = 0; s->reads && b < s->width; b++)
    memcpy(read_data_words(l, s, b), s->read + b * l->words, l->words * sizeof *s->read);
}

void lane_srams_clock(lanes_t *l, const uint64_t *live) {
  /* a read of the row being written gives the old content */
  for (unsigned i = 0; i < l->num_srams; i++) read_rows(l, &l->srams[i], live);
  for (unsigned i = 0; i < l->num_srams; i++) write_rows(l, &l->srams[i], live);
  for (unsigned i = 0; i < l->num_srams; i++) show_rows(l, &l->srams[i]);
}
