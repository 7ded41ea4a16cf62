/* SPDX-License-Identifier: Apache-2.0
 *
 * The bed of nsu_bed.h. Values are typed from rtl/nsu/README.md; the block's program stands in
 * program(), its data are 100 + i from the command, 2000 + i from memory, 700 + i in constants.
 */
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

/* The lowest bit of a header's field in a beat, and its width. */
static unsigned field_place(const char *name, unsigned *width) {
  unsigned lsb = LINE, f = FIELDS;
  while (f-- && strcmp(fields[f].name, name)) lsb += fields[f].width;
  assert_true(f < FIELDS);
  *width = fields[f].width;
  return lsb;
}

void drive_field(bed_t *b, const char *name, uint64_t value) {
  unsigned width, lsb = field_place(name, &width);
  for (unsigned i = 0; i < width; i++) drive_input_at(b, "in_phit", 1, lsb + i, value >> i & 1);
}

uint64_t sent_field(bed_t *b, const char *name) {
  unsigned width, lsb = field_place(name, &width);
  uint64_t found = 0;
  for (unsigned i = 0; i < width; i++) found |= shown_at(b, "out_phit", 1, lsb + i) << i;
  return found;
}

void see_field(bed_t *b, const char *name, uint64_t value) {
  uint64_t found = sent_field(b, name);
  if (found != value)
    print_error("%s of the packet is %#lx, not %#lx\n", name, (unsigned long)found, (unsigned long)value);
  assert_int_equal(found, value);
}

void bring_packet(bed_t *b, unsigned type, unsigned class, uint32_t first) {
  drive_input(b, "in_valid", 1);
  drive_input(b, "in_class", class);
  drive_field(b, "type", type);
  drive_field(b, "sm", SM);
  drive_field(b, "warp", WARP);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "in_phit", 32, i, first + i);
}

void bring_command_of(bed_t *b, unsigned warp, unsigned count, uint32_t first) {
  bring_packet(b, CMD, 0, first);
  drive_field(b, "warp", warp);
  drive_field(b, "addr", PC);
  drive_field(b, "mask", ALL);
  drive_field(b, "cbase", CONSTANTS);
  drive_field(b, "count", count);
}

void bring_command(bed_t *b, unsigned count, uint32_t first) {
  bring_command_of(b, WARP, count, first);
  tick(b);
}

void drive_masks(bed_t *b, unsigned seq) {
  drive_field(b, "seq", seq);
  drive_field(b, "mask", ALL);
  drive_field(b, "lmask", ALL);
  drive_field(b, "size", 2);
}

void see_packet(bed_t *b, unsigned type, unsigned class) {
  await(b, "out_valid", 1, 300);
  see(b, "out_class", class);
  see_field(b, "type", type);
  see_field(b, "src", STACK);
  drive_input(b, "out_credit", 1u << class);
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
  bring_packet(b, IFILL, 1, 0);
  for (unsigned i = 0; i < 6; i++) drive_input_at(b, "in_phit", 64, i, code[i]);
  for (unsigned i = 6; i < 16; i++) drive_input_at(b, "in_phit", 64, i, 0);
  drive_field(b, "addr", PC);
  tick(b);
}

bed_t *nsu(void) {
  bed_t *b = bed("nsu", "");
  hold(b, "stack_id", STACK);
  return b;
}

bed_t *nsu_spawned(void) {
  bed_t *b = nsu();
  bring_command(b, 1, 100);
  see_packet(b, IFETCH, 0);
  see_field(b, "addr", PC);
  tick(b);
  return b;
}

void run_to_load(bed_t *b) {
  program(b);
  see_packet(b, CREDIT, 1);
  see_field(b, "cr_cmd", 1);
  see_field(b, "cr_rd", 0);
  tick(b);
  ticks(b, 40);
  see(b, "out_valid", 0);
}

bed_t *nsu_at_load(void) {
  bed_t *b = nsu_spawned();
  run_to_load(b);
  return b;
}

/* LD has its data, ST waits for its addresses. */
static bed_t *nsu_loaded(void) {
  bed_t *b = nsu_at_load();
  bring_packet(b, RDF_RESP, 1, 2000);
  drive_masks(b, 0);
  tick(b);
  see_packet(b, CREDIT, 1);
  see_field(b, "cr_rd", 1);
  see_field(b, "cr_wr", 0);
  tick(b);
  ticks(b, 60);
  see(b, "out_valid", 0);
  return b;
}

bed_t *nsu_stored(void) {
  bed_t *b = nsu_loaded();
  bring_packet(b, WTA, 0, 0);
  drive_masks(b, 1);
  drive_field(b, "addr", STORE);
  drive_field(b, "aligned", 1);
  tick(b);
  see_packet(b, CREDIT, 1);
  see_field(b, "cr_wr", 1);
  tick(b);
  see_packet(b, WRITE, 0);
  see_field(b, "addr", STORE);
  see_field(b, "dst", 5);
  see_field(b, "slot", 0);
  see_field(b, "mask", ALL);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 2100 + 2 * i);
  tick(b);
  return b;
}

bed_t *nsu_at_end(void) {
  bed_t *b = nsu_stored();
  see_packet(b, CFETCH, 0);
  see_field(b, "addr", CONSTANTS);
  tick(b);
  bring_packet(b, CFILL, 1, 700);
  drive_field(b, "addr", CONSTANTS);
  tick(b);
  for (unsigned t = 0; t < 60; t++) {
    see(b, "out_valid", 0);
    tick(b);
  }
  return b;
}

void see_ended(bed_t *b) {
  bring_packet(b, WRITE_ACK, 1, 0);
  drive_field(b, "slot", 0);
  tick(b);
  see_packet(b, OFLD_ACK, 1);
  see_field(b, "beat", 0);
  see_field(b, "count", 2);
  see_field(b, "sm", SM);
  see_field(b, "warp", WARP);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 2100 + 2 * i);
  tick(b);
  see_packet(b, OFLD_ACK, 1);
  see_field(b, "beat", 1);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 702);
  tick(b);
}
