/* SPDX-License-Identifier: Apache-2.0
 *
 * A golden model, compiled into a test, as the engine of a block's instances
 * (block_engine.h):
 *
 *   static const model_port_t ports[] = {MODEL_IN(tom_gate, ask), MODEL_OUT(tom_gate, gnt), {0}};
 *   MODEL_ENGINE(tom_gate, ports)
 *
 * ports: those that the machine asks for by name. The macro defines tom_gate_engines, an
 * engine for each of 64 instances. A port's place is its number among the 64-bit words of
 * the in or out structure.
 */
#ifndef MODEL_ENGINE_H
#define MODEL_ENGINE_H

#include <string.h>

#include "block_engine.h"

typedef struct {
  const char *name;
  size_t offset;
} model_port_t;

#define MODEL_IN(block, port) \
  { #port, offsetof(block##_in_t, port) }
#define MODEL_OUT(block, port) \
  { #port, offsetof(block##_out_t, port) }

/* The port's word, or -1. */
static inline int model_place(const model_port_t *ports, const char *name) {
  for (; ports->name; ports++)
    if (!strcmp(ports->name, name)) return (int)(ports->offset / 8);
  return -1;
}

#define MODEL_ENGINE(block, ports)                                                                    \
  typedef struct {                                                                                    \
    block##_t model;                                                                                  \
    block##_out_t out;                                                                                \
  } state_t;                                                                                          \
  static int place(const void *context, const char *name) {                                           \
    (void)context;                                                                                    \
    return model_place(ports, name);                                                                  \
  }                                                                                                   \
  static bool model_open(void *state, const void *context, unsigned instance) {                       \
    (void)context, (void)instance;                                                                    \
    block##_reset(&((state_t *)state)->model);                                                        \
    return true;                                                                                      \
  }                                                                                                   \
  static const void *model_out(void *state) {                                                         \
    state_t *s = state;                                                                               \
    block##_eval(&s->model, &(const block##_in_t){0}, &s->out);                                       \
    return &s->out;                                                                                   \
  }                                                                                                   \
  static void model_step(void *state, const void *in) {                                               \
    block##_step(&((state_t *)state)->model, in);                                                     \
  }                                                                                                   \
  static const block_engine_t engine = {.name = "model",                                              \
                                        .state_size = sizeof(state_t),                                \
                                        .in_words = sizeof(block##_in_t) / 8,                         \
                                        .out_words = sizeof(block##_out_t) / 8,                       \
                                        .place = place,                                               \
                                        .open = model_open,                                           \
                                        .out = model_out,                                             \
                                        .step = model_step};                                          \
  const block_engine_t *const block##_engines[MODEL_INSTANCES] = {MODEL_8, MODEL_8, MODEL_8, MODEL_8, \
                                                                  MODEL_8, MODEL_8, MODEL_8, MODEL_8};

#define MODEL_8 &engine, &engine, &engine, &engine, &engine, &engine, &engine, &engine
enum { MODEL_INSTANCES = 64 };

#endif
