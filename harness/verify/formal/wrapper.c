/* SPDX-License-Identifier: Apache-2.0
 *
 * A wrapper may set a parameter of the block to a number (`.Width(8)`), and may have several
 * instances. A parameter that the wrapper does not mention keeps the RTL's default. That default
 * must be the port file's.
 */
#include "wrapper.h"
#include "file.h"
#include "port_params.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

char *wrapper_path(const engine_t *e, const proof_t *proof, char *path) {
  if (e->own) snprintf(path, PROOF_PATH, "%s/%s_proof.sv", e->folder, proof->block);
  else snprintf(path, PROOF_PATH, "%s/tests/formal/%s.sv", e->source, proof->block);
  return path;
}

/* The text of module X_proof alone, which the caller frees. NULL: trouble says why. */
static char *wrapper_text(const engine_t *e, const proof_t *proof, trouble_t *trouble) {
  char path[PROOF_PATH], head[PROOF_NAME + 16], *text = file_read(wrapper_path(e, proof, path));
  if (!text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno)), NULL;
  snprintf(head, sizeof head, "module %s_proof", proof->block);
  const char *from = strstr(text, head);
  char *own = strdup(from ? from : text), *end = own ? strstr(own, "\nendmodule") : NULL;
  if (end) *end = 0;
  if (!own) trouble_memory(trouble);
  free(text);
  return own;
}

bool wrapper_params(const engine_t *e, const proof_t *proof, const char *params, char *text, size_t size,
                    trouble_t *trouble) {
  char *own = wrapper_text(e, proof, trouble), path[PROOF_PATH], word[PROOF_NAME];
  size_t length = 0;
  long long value;
  bool ok = own;
  *text = 0;
  for (const param_t *p = proof->defaults; ok && p < proof->defaults + proof->num_defaults; p++) {
    const bool declared = rtl_declares(own, p->name);
    if (declared && length < size)
      length += (size_t)snprintf(text + length, size - length, "%s%s=%s", length ? "," : "", p->name,
                                 proof_value_text(p, proof_value(proof, params, p), word));
    if (!declared && yosys_param(params, p->name, &value))
      ok = trouble_set(
          trouble, TROUBLE_INPUT,
          "%s: module %s_proof has no parameter %s, which is set to %lld: `parameter int %s = %ld` would be right",
          wrapper_path(e, proof, path), proof->block, p->name, value, p->name, p->value);
  }
  free(own);
  return ok;
}

/* ---- after elaboration */

typedef struct {
  const engine_t *engine;
  const proof_t *proof;
  const char *params, *text; /* of the wrapper */
  char top[PROOF_NAME + 8];
  bool ok;
  unsigned instances, /* of the block, which differ in parameters */
      fitting;        /* of those: with all values that the set of parameters names */
  bool fits;          /* this one so far */
  trouble_t *trouble;
} check_t;

/* Does the text have `.Depth(` or `.Depth,`? */
static bool connects_param(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += length)
    if (at > text && at[-1] == '.' && !isalnum((unsigned char)at[length]) && at[length] != '_') return true;
  return false;
}

/* Closes the instance before (did it fit?) and opens this one. NULL: there is no further one. */
static void next_module(check_t *c, const char *module) {
  c->fitting += c->fits;
  c->fits = module && strcmp(module, c->proof->block) == 0;
  c->instances += c->fits;
}

/* Callback for each parameter of each module (yosys_each_param). Reports the first value that is
 * wrong. */
static void see_value(void *context, const char *module, const char *name, long long value, unsigned width) {
  check_t *c = context;
  long long named;
  if (!name) return next_module(c, module);
  if (yosys_param(c->params, name, &named) && !yosys_is_value(value, width, named)) c->fits = false;
  const bool top = strcmp(module, c->top) == 0;
  char path[PROOF_PATH];
  const param_t *p = c->proof->defaults, *end = p + c->proof->num_defaults;
  while (p < end && strcmp(p->name, name)) p++;
  if (!c->ok || p == end || (!top && (strcmp(module, c->proof->block) || connects_param(c->text, name)))) return;
  const long wanted = proof_value(c->proof, c->params, p);
  if (yosys_is_value(value, width, wanted)) return;
  c->ok = false;
  char right[256];
  if (top)
    snprintf(right, sizeof right, "declared as `parameter %s %s = %ld` it would be set",
             wanted == (int)wanted ? "int" : "longint", name, p->value);
  else snprintf(right, sizeof right, "`.%s(%s)` where the wrapper has the block would set it", name, name);
  trouble_set(c->trouble, TROUBLE_INPUT, "%s: %s of %s is %lld by itself, not %ld: %s",
              wrapper_path(c->engine, c->proof, path), name, module, value, wanted, right);
}

/* A proof of another block, or of another size, would say nothing about this one. */
static bool has_block(check_t *c) {
  char path[PROOF_PATH];
  next_module(c, NULL);
  if (c->fitting) return true;
  wrapper_path(c->engine, c->proof, path);
  if (!c->instances)
    return trouble_set(c->trouble, TROUBLE_INPUT,
                       "%s: no instance of %s in module %s: its proof would be of something else", path,
                       c->proof->block, c->top);
  return trouble_set(c->trouble, TROUBLE_INPUT,
                     "%s: no instance of %s in module %s has %s: each parameter as the wrapper's own would be right",
                     path, c->proof->block, c->top, c->params);
}

bool wrapper_check(const engine_t *e, const proof_t *proof, const char *params, const char *work, trouble_t *trouble) {
  char path[PROOF_PATH], *own = wrapper_text(e, proof, trouble);
  snprintf(path, sizeof path, "%s/values.txt", work);
  char *values = own ? file_read(path) : NULL;
  check_t c = {.engine = e, .proof = proof, .params = params, .text = own, .ok = values, .trouble = trouble};
  snprintf(c.top, sizeof c.top, "%s_proof", proof->block);
  if (own && !values)
    trouble_set(trouble, TROUBLE_INPUT, "%s: %s: Yosys should have written it", path, strerror(errno));
  if (values) yosys_each_param(values, see_value, &c);
  c.ok = c.ok && has_block(&c);
  free(values), free(own);
  return c.ok;
}
