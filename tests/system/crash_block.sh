# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
#
# For the tests of crashes, which source it: makes the folder own with a block whose model, and
# stimulus, crash as the environment's CRASH says. The sanitizers look away: what they would say of
# it is what is wanted here.
cp -r "$source/docs/example" own
cat >own/accum.c <<'EOF'
/* SPDX-License-Identifier: Apache-2.0 */
#include "accum.h"
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define LOOK_AWAY __attribute__((noinline, no_sanitize("undefined", "address")))
static volatile int zero, sink;
LOOK_AWAY int deeper(volatile int *n) {
  volatile int more[64] = {*n};
  return deeper(more) + more[1];
}
static void at_end(void) { _exit(0); }
LOOK_AWAY static void fault(accum_t *a) {
  const char *how = getenv("CRASH");
  if (!how) return;
  if (!strcmp(how, "segv")) *(volatile int *)8 = 1;
  if (!strcmp(how, "divide")) sink = sink / zero;
  if (!strcmp(how, "stack")) sink = deeper(&zero);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "trap")) __builtin_trap();
  if (!strcmp(how, "overrun")) for (volatile char *p = (volatile char *)a;; p++) *p = 1;
  if (!strcmp(how, "endless")) while (!zero) sink++;
  if (!strcmp(how, "exit")) exit(0);
  if (!strcmp(how, "_exit")) _exit(0);
  if (!strcmp(how, "quick_exit")) quick_exit(0);
  if (!strcmp(how, "exec")) execl("/bin/true", "true", NULL);
  if (!strcmp(how, "exec 141")) execl("/bin/sh", "sh", "-c", "exit 141", NULL); /* as SIGPIPE has it in a shell */
  if (!strcmp(how, "exec 5")) execl("/bin/sh", "sh", "-c", "exit 5", NULL);
  if (!strcmp(how, "pipe")) kill(getpid(), SIGPIPE);
  if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(how, "at_end") && !sink++) atexit(at_end);
  if (!strcmp(how, "at_end")) a->sum ^= 1;
  assert(strcmp(how, "assert"));
}
void accum_reset(accum_t *a) { a->sum = 0; }
void accum_eval(const accum_t *a, const accum_in_t *in, accum_out_t *out) { (void)in; out->sum = a->sum; }
void accum_step(accum_t *a, const accum_in_t *in) {
  if (a->sum % 4 == 3) fault(a);
  if (in->add) a->sum = (a->sum + in->value) & (~0ull >> (64 - Bits));
}
EOF
cat >own/accum_stim.c <<'EOF'
/* SPDX-License-Identifier: Apache-2.0 */
#include "accum_ports.h"
#include "rng.h"
#include "stim.h"
#include <stdlib.h>
#include <string.h>
__attribute__((noinline, no_sanitize("undefined", "address"))) static void fault(const char *where) {
  const char *wanted = getenv("CRASH");
  if (wanted && !strcmp(wanted, where)) *(volatile int *)8 = 1;
}
static void init(void *s, uint64_t seed, unsigned profile) {
  fault("init");
  rng_init(s, seed + profile);
}
static unsigned turn(void *s, uint64_t seed, unsigned profile) {
  fault("turn");
  rng_init(s, seed);
  return profile;
}
static void drive(const uint64_t *operands, void *bytes) {
  accum_in_t *in = bytes;
  if (operands[0] == 3) fault("drive");
  in->add = 1;
  in->value = operands[0];
}
static bool result(const void *bytes, uint64_t *sum) {
  *sum = ((const accum_out_t *)bytes)->sum;
  if (*sum == 6) fault("result");
  return true;
}
static void next(void *s, uint64_t cycle, const void *out, void *bytes) {
  accum_in_t *in = bytes;
  (void)out;
  in->add = rng_bits(s, 1);
  in->value = in->add ? rng_bits(s, 5) : 0;
  if (cycle == 77) fault("stimulus");
}
static const stim_profile_t profiles[] = {{"one", "the only one"}};
const stim_t accum_stim = {.profiles = profiles, .num_profiles = 1, .state_size = sizeof(rng_t), .init = init, .next = next, .turn = turn,
                            .vector_operands = 1, .vector_latency = 1, .vector_drive = drive, .vector_result = result};
EOF
