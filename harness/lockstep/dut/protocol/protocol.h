/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared parts of the protocol checkers. A watch sees an interface's signals in each cycle, as they
 * are before the clock edge, and returns the broken rule or NULL.
 *
 * In the model a watch checks the block's own outputs. A broken rule gives the outcome MODEL_ASSERT
 * with its text:
 *
 *   void fifo_step(fifo_t *f, const fifo_in_t *in) {
 *     PROTOCOL(stream_watch(&f->watch, f->count > 0, in->out_ready, &f->data[f->first], 1));
 *
 * In the stimulus' `legal` (stim.h) a watch checks the inputs, and shrinking keeps the rule:
 *
 *   static int broken(void *state, const void *inputs, const void *outputs) {
 *     return stream_watch(state, in->in_valid, out->in_ready, &in->in_data, 1) ? 0 : -1;
 *
 * A reset sets a watch to all zero. No struct here has pointers or heap memory.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fails as an assertion with the rule as its text. */
#define PROTOCOL(watch)                                                                \
  do {                                                                                 \
    const char *const protocol_broken = (watch);                                       \
    if (protocol_broken) __assert_fail(protocol_broken, __FILE__, __LINE__, __func__); \
  } while (0)

enum { PROTOCOL_WORDS = 16 };

/* Signals that a side must keep stable while it waits. */
typedef struct {
  uint64_t word[PROTOCOL_WORDS];
} protocol_payload_t;

static inline bool protocol_changed(const protocol_payload_t *kept, const uint64_t *payload, unsigned words) {
  return memcmp(kept->word, payload, words * sizeof *payload) != 0;
}

static inline void protocol_keep(protocol_payload_t *kept, const uint64_t *payload, unsigned words) {
  assert(words <= PROTOCOL_WORDS);
  memcpy(kept->word, payload, words * sizeof *payload);
}

/* Up to 64 bits of a field, from bit `at` on; of more bits a hash. */
static inline uint64_t protocol_fold(const void *field, unsigned at, unsigned width) {
  const uint8_t *bytes = field;
  uint64_t folded = 0;
  for (unsigned done = 0; done < width; done++) {
    const unsigned bit = at + done;
    if (done % 64 == 0) folded *= 0x9e3779b97f4a7c15ull;
    folded ^= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << done % 64;
  }
  return folded;
}

#endif
