/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of a program: PTX out of images, linked, loaded; what a program may ask about kernels and
 * variables.
 *
 *   image(s) --image_at, image_read--> texts --ptx_link--> module --system_load_also--> machine
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "session_internal.h"
#include "simt_module.h"

const session_module_t *session_module(session_t *s, uint64_t number) {
  if (number < s->num_modules && s->modules[number].ptx) return &s->modules[number];
  session_fail(s, WIRE_REFUSED, "a module that is not loaded");
  return NULL;
}

/* ---- loading ---- */

/* Of an image that gave no PTX. */
static wire_status_t status_of_image(image_found_t found) {
  if (found == IMAGE_NO_PTX) return WIRE_NO_PTX;
  return found == IMAGE_BAD ? WIRE_BAD_IMAGE : WIRE_BROKEN;
}

/* Loads a module beside the others. The answer's value is its number, which is never used again. */
static wire_status_t add_module(session_t *s, const session_module_t *m) {
  trouble_t err = {0};
  session_module_t *more = realloc(s->modules, (s->num_modules + 1) * sizeof *more);
  if (!more) return session_fail(s, WIRE_BROKEN, "out of memory");
  s->modules = more;
  if (system_load_also(s->system, m->ptx, &err)) return session_refused(s, &err, WIRE_UNSUPPORTED);
  s->answer.value = s->num_modules;
  s->modules[s->num_modules++] = *m;
  return WIRE_DONE;
}

/* PTX of an image's parts. What has machine code alone counts for nothing
 * where another has PTX: what it defines is missed only if it is called. */
typedef struct {
  ptx_source_t *source;
  char (*name)[64];
  unsigned count;
} texts_t;

static void free_texts(texts_t *t) {
  for (unsigned i = 0; t->source && i < t->count; i++) free((char *)t->source[i].text);
  free(t->source);
  free(t->name);
}

/* Part `part` of an image, counted from 0. Its name is for messages. */
static image_found_t read_part_text(session_t *s, texts_t *t, unsigned part, unsigned parts) {
  image_ptx_t text;
  trouble_t trouble = {0};
  size_t size = s->request.size;
  const void *image = image_at(s->data, part, &size);
  if (!image) {
    session_fail(s, WIRE_BAD_IMAGE, "images to be linked end before what they say");
    return IMAGE_BAD;
  }
  const image_found_t found = image_read(image, size, s->options->arch, &text, &trouble);
  if (found != IMAGE_TEXT) return snprintf(s->error, sizeof s->error, "%s", trouble.text), found;
  char *name = t->name[t->count];
  const int length = snprintf(name, sizeof *t->name, "module %u of the program", s->num_modules + 1);
  if (parts > 1) snprintf(name + length, sizeof *t->name - (size_t)length, ", part %u", part + 1);
  t->source[t->count++] = (ptx_source_t){text.text, text.size, name};
  return IMAGE_TEXT;
}

/* The PTX of all parts. A part with machine code alone counts for nothing if another part has PTX;
 * what it defines is missed only when it is called. */
static image_found_t read_texts(session_t *s, texts_t *t) {
  const unsigned parts = image_count(s->data, s->request.size);
  image_found_t found = IMAGE_BAD;
  if (!parts || parts > s->request.size) {
    session_fail(s, WIRE_BAD_IMAGE,
                 parts ? "images to be linked are fewer than what they say" : "nothing to be linked");
    return IMAGE_BAD;
  }
  t->source = calloc(parts, sizeof *t->source);
  t->name = calloc(parts, sizeof *t->name);
  if (!t->source || !t->name) return IMAGE_NO_MEMORY;
  for (unsigned i = 0; i < parts; i++) {
    found = read_part_text(s, t, i, parts);
    if (found != IMAGE_TEXT && found != IMAGE_NO_PTX) return found;
  }
  if (t->count) *s->error = 0;
  return t->count ? IMAGE_TEXT : found;
}

wire_status_t session_load(session_t *s) {
  texts_t texts = {0};
  ptx_error_t err;
  const image_found_t found = read_texts(s, &texts);
  wire_status_t status = status_of_image(found);
  if (found == IMAGE_TEXT) {
    char name[48];
    snprintf(name, sizeof name, "module %u of the program", s->num_modules + 1);
    const session_module_t m = {ptx_link(texts.source, texts.count, name, &err)};
    status = m.ptx ? add_module(s, &m)
                   : session_fail(s, err.trouble.kind == TROUBLE_ENVIRONMENT ? WIRE_BROKEN : WIRE_BAD_IMAGE,
                                  err.trouble.text);
    if (status != WIRE_DONE) ptx_free(m.ptx);
  }
  free_texts(&texts);
  return status;
}

wire_status_t session_unload(session_t *s) {
  const session_module_t *found = session_module(s, s->request.a[0]);
  if (!found) return WIRE_REFUSED;
  session_module_t *m = &s->modules[found - s->modules];
  system_unload(s->system, m->ptx);
  ptx_free(m->ptx);
  *m = (session_module_t){0};
  return WIRE_DONE;
}

/* ---- functions ---- */

/* Of a block: what .reqntid or .maxntid say, but no more than a core has. */
static uint32_t most_threads(const ptx_func_t *f, const system_facts_t *machine) {
  const uint64_t said = ptx_block_most(f);
  return said && said < machine->core_threads ? (uint32_t)said : machine->core_threads;
}

static void list_params(const ptx_module_t *m, const ptx_func_t *f, wire_param_t *param) {
  for (uint32_t i = 0; i < f->num_params; i++) {
    const ptx_var_t *v = &m->vars[f->params[i]];
    param[i] = (wire_param_t){(uint32_t)v->offset, (uint32_t)v->size};
  }
}

/* Registers of a thread, as the machine counts them for a launch of one warp. 0: the machine cannot
 * execute the kernel. */
static uint32_t thread_registers(session_t *s, const session_module_t *m, const ptx_func_t *f) {
  uint32_t registers = 0;
  trouble_t ignored = {0};
  const rt_launch_t one = {f->name, {1, 1, 1}, {32, 1, 1}, 0, NULL, 0};
  if (!system_select(s->system, m->ptx, &ignored)) system_occupancy(s->system, &one, &registers, &ignored);
  return registers;
}

/* What the driver calls the PTX version of a function: 75 of "sm_75, debug". Libraries choose
 * kernels by it. */
static uint32_t virtual_architecture(const char *target) {
  const char *digits = strpbrk(target, "0123456789");
  return digits ? (uint32_t)strtoul(digits, NULL, 10) : 0;
}

wire_status_t session_function(session_t *s) {
  const session_module_t *m = session_module(s, s->request.a[0]);
  if (!m) return WIRE_REFUSED;
  const ptx_func_t *f = ptx_find_kernel(m->ptx, (const char *)s->data);
  if (!f || !f->defined) {
    snprintf(s->error, sizeof s->error, "no kernel %.200s in %s", (const char *)s->data, m->ptx->file);
    return WIRE_NOT_FOUND;
  }
  wire_function_t *answer = session_answer(s, sizeof *answer + f->num_params * sizeof(wire_param_t));
  if (!answer) return session_fail(s, WIRE_BROKEN, "out of memory");
  system_facts_t machine;
  system_facts(s->system, &machine);
  *answer = (wire_function_t){.params = f->num_params,
                              .param_bytes = (uint32_t)f->param_bytes,
                              .registers = thread_registers(s, m, f),
                              .most_threads = most_threads(f, &machine),
                              .ptx_version = virtual_architecture(m->ptx->target),
                              .shared_bytes = f->shared_bytes,
                              .local_bytes = f->local_bytes,
                              .const_bytes = m->ptx->const_bytes};
  list_params(m->ptx, f, (wire_param_t *)(answer + 1));
  return WIRE_DONE;
}

/* No block fits: the answer is 0, and the request is done. */
wire_status_t session_blocks(session_t *s) {
  const session_module_t *m = session_module(s, s->request.a[0]);
  const uint64_t *a = s->request.a;
  trouble_t err = {0};
  uint32_t registers;
  if (!m) return WIRE_REFUSED;
  const rt_launch_t launch = {(const char *)s->data, {1, 1, 1}, {(uint32_t)a[1], (uint32_t)a[2], (uint32_t)a[3]},
                              (uint32_t)a[4],        NULL,      0};
  if (!system_select(s->system, m->ptx, &err)) s->answer.value = system_occupancy(s->system, &launch, &registers, &err);
  return WIRE_DONE; /* none fits: 0 */
}

/* ---- variables ---- */

/* A variable of module scope, .global or .const. */
static const ptx_var_t *find_variable(const ptx_module_t *m, const char *name) {
  for (uint32_t i = 0; i < m->num_vars; i++) {
    const ptx_var_t *v = &m->vars[i];
    if ((v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST) && v->func == PTX_NONE && !strcmp(v->name, name))
      return v;
  }
  return NULL;
}

/* A constant gets an address that session_constant understands. */
wire_status_t session_global(session_t *s) {
  const session_module_t *m = session_module(s, s->request.a[0]);
  if (!m) return WIRE_REFUSED;
  const ptx_var_t *v = find_variable(m->ptx, (const char *)s->data);
  if (!v) {
    snprintf(s->error, sizeof s->error, "no variable %.200s in %s", (const char *)s->data, m->ptx->file);
    return WIRE_NOT_FOUND;
  }
  wire_global_t *answer = session_answer(s, sizeof *answer);
  if (!answer) return session_fail(s, WIRE_BROKEN, "out of memory");
  const uint64_t base = v->space == PTX_SPACE_CONST
                            ? SESSION_CONSTANTS + s->request.a[0] * SESSION_CONSTANT_ROOM
                            : ((const simt_variables_t *)system_variables(s->system, m->ptx))->global_base;
  *answer = (wire_global_t){base + v->offset, v->size};
  return WIRE_DONE;
}

uint8_t *session_constant(session_t *s, uint64_t address, uint64_t bytes) {
  if (address < SESSION_CONSTANTS) return NULL;
  const uint64_t number = (address - SESSION_CONSTANTS) / SESSION_CONSTANT_ROOM,
                 at = (address - SESSION_CONSTANTS) % SESSION_CONSTANT_ROOM;
  if (number >= s->num_modules || !s->modules[number].ptx) return NULL;
  const ptx_module_t *ptx = s->modules[number].ptx;
  if (at > ptx->const_bytes || bytes > ptx->const_bytes - at) return NULL;
  return ((const simt_variables_t *)system_variables(s->system, ptx))->const_segment + at;
}
