/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules for the target of a block (offload_targets.def).
 */
#include "offload_target.h"

#include "stack_address.h"

/* Stack with the most counted lines; of equals the first access's stack, then the lowest. */
static int busiest_stack(const offload_target_t *t) {
  unsigned best = t->first;
  for (unsigned s = 0; s < GPU_MAX_NSU_STACKS; s++)
    if (t->lines[s] > t->lines[best]) best = s;
  return (int)best;
}

static void count_line(offload_target_t *t, uint64_t line) {
  t->lines[stack_of(line)]++;
  t->any = true;
}

/* Rule first knows the target now; rule most only counts. */
int offload_target_issued(offload_target_t *t, unsigned rule, const coalesce_t *lines) {
  if (!t->accessed) t->first = (uint8_t)coalesce_target(lines);
  t->accessed = true;
  if (rule == GPU_TARGET_first) return t->first;
  for (unsigned i = 0; rule == GPU_TARGET_most && i < lines->count; i++) count_line(t, lines->line[i]);
  return OFFLOAD_NO_TARGET;
}

void offload_target_looked(offload_target_t *t, uint64_t line, bool accesses_stack) {
  if (accesses_stack) count_line(t, line);
}

int offload_target_looked_all(const offload_target_t *t) {
  return t->any ? busiest_stack(t) : OFFLOAD_NO_TARGET;
}

int offload_target_so_far(const offload_target_t *t) {
  if (!t->accessed) return OFFLOAD_NO_TARGET;
  return t->any ? busiest_stack(t) : t->first;
}
