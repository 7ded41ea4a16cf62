/* SPDX-License-Identifier: Apache-2.0 */
#include "unreset.h"

#include "device_call.h"
#include "dut_table.h"
#include "rng.h"
#include "state_table.h"

#include <stdlib.h>
#include <string.h>

/* A bit is the same in all devices by chance once in 128 registers; few of a register's are. */
enum { DEVICES = 8, NAMES = 12 };

/* The state behind a reset of a device that begins with these values. */
static bool state_behind_reset(const dut_t *dut, uint64_t seed, unsigned char *state) {
  dut_power_up(dut, seed);
  void *device = dut->create();
  const bool ok = device && !device_reset(dut, device, NULL);
  if (ok) dut->state_get(device, state);
  if (device) dut->destroy(device);
  return ok;
}

static void print_names(FILE *out, const dut_t *dut, const size_t *offset, const unsigned char *differs) {
  unsigned count = 0;
  for (unsigned i = 0; i < dut->num_states; i++) {
    const dut_state_t *s = &dut->states[i];
    if (!memchr(differs + offset[i], 1, offset[i + 1] - offset[i]) || count++ >= NAMES) continue;
    fprintf(out, count > 1 ? ", %s" : "  no reset   reaches %s", s->name);
    if (s->elements > 1) fprintf(out, " (%u rows)", (unsigned)s->elements);
  }
  if (count > NAMES) fprintf(out, " and %u more", count - NAMES);
  if (count) fputs("\n", out);
}

void unreset_print(FILE *out, const dut_t *dut) {
  const size_t size = dut->state_size;
  size_t *offset = dut->power_up && !dut->powers_up ? state_offsets(dut) : NULL;
  unsigned char *first = calloc(1, size + 1), *state = calloc(1, size + 1), *differs = calloc(1, size + 1);
  bool ok = offset && first && state && differs && state_behind_reset(dut, rng_mix(1), first);
  for (unsigned k = 1; ok && k < DEVICES; k++) {
    ok = state_behind_reset(dut, rng_mix(k + 1), state);
    for (size_t i = 0; ok && i < size; i++) differs[i] |= state[i] != first[i];
  }
  if (ok) print_names(out, dut, offset, differs);
  free(offset), free(first), free(state), free(differs);
}
