/* SPDX-License-Identifier: Apache-2.0
 *
 * What the protocols' files share. A watch sees one cycle after the other, of an interface's
 * signals as they are before the clock edge, and says which rule is broken, or NULL. It holds the
 * block's own outputs to the protocol in the model, where a broken rule is the outcome MODEL_ASSERT
 * with its text:
 *
 *   void fifo_step(fifo_t *f, const fifo_in_t *in) {
 *     PROTOCOL(stream_watch(&f->watch, f->count > 0, in->out_ready, &f->data[f->first], 1));
 *
 * and what the stimulus drives to it in the stimulus' `legal` (stim.h), where it is a rule that
 * shrinking keeps:
 *
 *   static int broken(void *state, const void *inputs, const void *outputs) {
 *     return stream_watch(state, in->in_valid, out->in_ready, &in->in_data, 1) ? 0 : -1;
 *
 * After a reset a watch begins anew: all zero. Nothing here has pointers or memory of its own.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fails as an assertion whose text is the rule. */
#define PROTOCOL(watch)                                                                \
  do {                                                                                 \
    const char *const protocol_broken = (watch);                                       \
    if (protocol_broken) __assert_fail(protocol_broken, __FILE__, __LINE__, __func__); \
  } while (0)

enum { PROTOCOL_WORDS = 8 };

/* What a side must not change while it waits. */
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

#endif
