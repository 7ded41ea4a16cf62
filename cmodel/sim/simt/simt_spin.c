/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_spin.h"

#include <stdio.h>

#include "simt_call.h"

/* The backward branch of the loop. */
typedef struct {
  const char *file, *text;
  int line;
} place_t;

static place_t find_place(const simt_run_t *run, const simt_turns_t *turns) {
  const simt_op_t *op = &run->kernel->ops[turns->pc];
  const ptx_func_t *func = simt_func(run->kernel, op);
  const ptx_instr_t *in = &func->instrs[op->index];
  return (place_t){func->file, in->text ? in->text : "?", in->line};
}

int simt_spin_place(const simt_run_t *run, const simt_turns_t *turns, char *text, size_t size) {
  const place_t p = find_place(run, turns);
  return snprintf(text, size, " at %s:%d, '%s', threads 0x%08x", p.file, p.line, p.text, turns->threads);
}

void simt_spin_note(simt_spin_t *spin, const simt_run_t *run, const simt_block_t *block, uint32_t first_thread,
                    const simt_turns_t *turns, bool at_barrier) {
  spin->warps++;
  if (at_barrier) spin->waiting++;
  if (at_barrier || !simt_turns_spins(turns, run->watch)) return;
  if (spin->spinning++) return;
  const place_t p = find_place(run, turns);
  char thread[96];
  simt_block_thread(block, run, first_thread, thread, sizeof thread);
  snprintf(spin->first, sizeof spin->first, "%.200s:%d: kernel %.80s: the warp of %s is in an endless loop at '%.80s'",
           p.file, p.line, run->kernel->func->name, thread, p.text);
}

bool simt_spin_fail(const simt_spin_t *spin, trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_INPUT,
                     "%s: each round is as the last one, and nobody else makes progress; %u of %u warps go round, %u "
                     "wait at a barrier:",
                     spin->first, spin->spinning, spin->warps, spin->waiting);
}
