/* SPDX-License-Identifier: Apache-2.0
 *
 * An NSU whose packets come and go field by field, and an offload block that it runs up to some
 * point:
 *
 *   BEG F1; LD F2; ADD F3 = F1 + F2; ST F3; LDC F4 = [cbase + 8]; END F3, F4
 */
#ifndef NSU_BED_H
#define NSU_BED_H

#include <stdint.h>

#include "rule.h"

enum {
#define ISA_OP(name, code, mnemonic, kind, sources) I_##name = code,
#define ISA_KIND(name, code) K_##name = code,
#include "nsu_isa.def"
#define PKT_TYPE(name, code, cls, text) name = code,
#define PKT_ERR(name, bit, text) E_##name = 1 << bit,
#include "nsu_packet.def"
};

enum { STACK = 5, SM = 7, WARP = 3, GPU = 15, LINE = 1024 };

static const uint64_t PC = 0x1000, CONSTANTS = 0x2000, STORE = 0x500003000;
static const uint32_t ALL = 0xffffffff;

/* Fields of the packet that comes, or of the one that goes out. */
void drive_field(bed_t *b, const char *name, uint64_t value);
uint64_t sent_field(bed_t *b, const char *name);
void see_field(bed_t *b, const char *name, uint64_t value);

uint64_t instr(unsigned op, uint64_t rd, uint64_t ra, uint64_t rb);

/* A packet comes in; its line's words are first, first + 1 ... A command is of the block above. */
void bring_packet(bed_t *b, unsigned type, unsigned class, uint32_t first);
void drive_masks(bed_t *b, unsigned seq);
void bring_command_of(bed_t *b, unsigned warp, unsigned count, uint32_t first);
void bring_command(bed_t *b, unsigned count, uint32_t first);

/* The next packet goes out: its type is right; its sender gets the credit back. */
void see_packet(bed_t *b, unsigned type, unsigned class);

bed_t *nsu(void);

/* The command comes and its first instruction is fetched. */
bed_t *nsu_spawned(void);

/* Up to LD, which waits; the command's entry has been freed and told. */
void run_to_load(bed_t *b);
bed_t *nsu_at_load(void);

/* The store is written: F3 = F1 + F2. */
bed_t *nsu_stored(void);

/* The constant is fetched: word 2 of its line. END
 * then waits for the acknowledgement of the write. */
bed_t *nsu_at_end(void);
void see_ended(bed_t *b);

#endif
