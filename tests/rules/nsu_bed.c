/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_bed.h"

#include <string.h>

#include "unit_test.h"

/* A beat is {header, line}; the header's fields stand most significant first. */
static const struct {
  const char *name;
  unsigned width;
} fields[] = {
#define PKT_FIELD(name, width, text) {#name, width},
#include "nsu_packet.def"
};
enum { FIELDS = sizeof fields / sizeof *fields };

static unsigned field(const char *name, unsigned *width) {
  unsigned lsb = LINE, f = FIELDS;
  while (f-- && strcmp(fields[f].name, name)) lsb += fields[f].width;
  assert_true(f < FIELDS);
  *width = fields[f].width;
  return lsb;
}

void set(bed_t *b, const char *name, uint64_t value) {
  unsigned width, lsb = field(name, &width);
  for (unsigned i = 0; i < width; i++) put_at(b, "in_phit", 1, lsb + i, value >> i & 1);
}

uint64_t said(bed_t *b, const char *name) {
  unsigned width, lsb = field(name, &width);
  uint64_t found = 0;
  for (unsigned i = 0; i < width; i++) found |= shown_at(b, "out_phit", 1, lsb + i) << i;
  return found;
}

void is(bed_t *b, const char *name, uint64_t value) {
  uint64_t found = said(b, name);
  if (found != value)
    print_error("%s of the packet is %#lx, not %#lx\n", name, (unsigned long)found, (unsigned long)value);
  assert_int_equal(found, value);
}

void come(bed_t *b, unsigned type, unsigned class, uint32_t first) {
  put(b, "in_valid", 1);
  put(b, "in_class", class);
  set(b, "type", type);
  set(b, "sm", SM);
  set(b, "warp", WARP);
  for (unsigned i = 0; i < 32; i++) put_at(b, "in_phit", 32, i, first + i);
}

void command_of(bed_t *b, unsigned warp, unsigned count, uint32_t first) {
  come(b, CMD, 0, first);
  set(b, "warp", warp);
  set(b, "addr", PC);
  set(b, "mask", ALL);
  set(b, "cbase", CONSTANTS);
  set(b, "count", count);
}

void command(bed_t *b, unsigned count, uint32_t first) {
  command_of(b, WARP, count, first);
  tick(b);
}

void masks(bed_t *b, unsigned seq) {
  set(b, "seq", seq);
  set(b, "mask", ALL);
  set(b, "lmask", ALL);
  set(b, "size", 2);
}

void goes(bed_t *b, unsigned type, unsigned class) {
  await(b, "out_valid", 1, 300);
  see(b, "out_class", class);
  is(b, "type", type);
  is(b, "src", STACK);
  put(b, "out_credit", 1u << class);
}

uint64_t instr(unsigned op, uint64_t rd, uint64_t ra, uint64_t rb) {
  return (uint64_t)op << 56 | rd << 52 | ra << 48 | rb << 44;
}

/* BEG F1; LD F2; ADD F3 = F1 + F2; ST F3; LDC F4 = [cbase + 8]; END F3, F4. */
static void program(bed_t *b) {
  const uint64_t code[] = {instr(I_OFLD_BEG, 0, 0, 0) | 0x10000001,
                           instr(I_LD, 2, 0, 0),
                           instr(I_ADD, 3, 1, 2),
                           instr(I_ST, 0, 3, 0),
                           instr(I_LDC, 4, 0, 0) | 8,
                           instr(I_OFLD_END, 0, 0, 0) | 0x20000043};
  come(b, IFILL, 1, 0);
  for (unsigned i = 0; i < 6; i++) put_at(b, "in_phit", 64, i, code[i]);
  for (unsigned i = 6; i < 16; i++) put_at(b, "in_phit", 64, i, 0);
  set(b, "addr", PC);
  tick(b);
}

bed_t *nsu(void) {
  bed_t *b = bed("nsu", "");
  hold(b, "stack_id", STACK);
  return b;
}

bed_t *spawned(void) {
  bed_t *b = nsu();
  command(b, 1, 100);
  goes(b, IFETCH, 0);
  is(b, "addr", PC);
  tick(b);
  return b;
}

void begins(bed_t *b) {
  program(b);
  goes(b, CREDIT, 1);
  is(b, "cr_cmd", 1);
  is(b, "cr_rd", 0);
  tick(b);
  ticks(b, 40);
  see(b, "out_valid", 0);
}

bed_t *begun(void) {
  bed_t *b = spawned();
  begins(b);
  return b;
}

/* LD has its data, ST waits for its addresses. */
static bed_t *loaded(void) {
  bed_t *b = begun();
  come(b, RDF_RESP, 1, 2000);
  masks(b, 0);
  tick(b);
  goes(b, CREDIT, 1);
  is(b, "cr_rd", 1);
  is(b, "cr_wr", 0);
  tick(b);
  ticks(b, 60);
  see(b, "out_valid", 0);
  return b;
}

bed_t *stored(void) {
  bed_t *b = loaded();
  come(b, WTA, 0, 0);
  masks(b, 1);
  set(b, "addr", STORE);
  set(b, "aligned", 1);
  tick(b);
  goes(b, CREDIT, 1);
  is(b, "cr_wr", 1);
  tick(b);
  goes(b, WRITE, 0);
  is(b, "addr", STORE);
  is(b, "dst", 5);
  is(b, "slot", 0);
  is(b, "mask", ALL);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 2100 + 2 * i);
  tick(b);
  return b;
}

bed_t *ends(void) {
  bed_t *b = stored();
  goes(b, CFETCH, 0);
  is(b, "addr", CONSTANTS);
  tick(b);
  come(b, CFILL, 1, 700);
  set(b, "addr", CONSTANTS);
  tick(b);
  for (unsigned t = 0; t < 60; t++) {
    see(b, "out_valid", 0);
    tick(b);
  }
  return b;
}

void ended(bed_t *b) {
  come(b, WRITE_ACK, 1, 0);
  set(b, "slot", 0);
  tick(b);
  goes(b, OFLD_ACK, 1);
  is(b, "beat", 0);
  is(b, "count", 2);
  is(b, "sm", SM);
  is(b, "warp", WARP);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 2100 + 2 * i);
  tick(b);
  goes(b, OFLD_ACK, 1);
  is(b, "beat", 1);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 702);
  tick(b);
}
