/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a launch file as a workload:
 *
 *    launch_make    buffers filled on the host
 *    launch_run     buffers into the machine -> textures -> launches -> buffers back
 *    launch_check   comparisons         launch_keep   dumps         launch_facts   results as JSON
 */
#include "launch_run.h"

#include <errno.h>
#include <inttypes.h>
#include "json_sure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "launch_parts.h"
#include "whole.h"

/* An element that differs; `index` counts from the buffer's start. */
typedef struct {
  uint64_t index;
  const uint8_t *got, *want;
} difference_t;

/* What a comparison found: how many elements differ, and the first few. */
typedef struct {
  uint64_t wrong;
  unsigned shown;
  difference_t first[LAUNCH_SHOWN];
} compared_t;

/* One run. */
typedef struct {
  const launch_file_t *file;
  uint8_t **host;   /* of each buffer: what goes in, then what came out */
  rt_ptr_t *at;     /* in the machine */
  uint64_t *handle; /* of each texture */
  uint64_t *cycles; /* of each step that is a launch, in the order of the file */
  uint64_t *times;
  compared_t *compared;
  unsigned steps;
  char *printed; /* by all launches; no zero byte behind it */
  size_t printed_bytes;
} run_t;

static void launch_destroy(void *state) {
  run_t *s = state;
  for (unsigned i = 0; s->host && i < s->file->buffers; i++) free(s->host[i]);
  free(s->host);
  free(s->at);
  free(s->handle);
  free(s->cycles);
  free(s->times);
  free(s->compared);
  free(s->printed);
  free(s);
}

/* ---- contents ---- */

/* Floating: 53 random bits scaled into [first, second). Whole: first to second, both possible; span
 * is 0 if all 2^64 are. */
static void random_element(const launch_buffer_t *b, uint64_t *state, void *to) {
  const uint64_t drawn = data_random(state), span = (uint64_t)b->second.whole - (uint64_t)b->first.whole + 1;
  if (b->array.type->kind == 'f')
    element_put_real(b->array.type,
                     b->first.real + (b->second.real - b->first.real) * ((double)(drawn >> 11) * 0x1p-53), to);
  else element_put_whole(b->array.type, (int64_t)((uint64_t)b->first.whole + (span ? drawn % span : drawn)), to);
}

/* first + i * step; whole numbers wrap round in 64 bits and are then cut to the type. */
static void iota_element(const launch_buffer_t *b, uint64_t i, void *to) {
  if (b->array.type->kind == 'f') element_put_real(b->array.type, b->first.real + b->second.real * (double)i, to);
  else element_put_whole(b->array.type, (int64_t)((uint64_t)b->first.whole + (uint64_t)b->second.whole * i), to);
}

/* Fills the buffer's bytes at `to`, which are zero. seed: begins the random numbers if the file
 * gives no seed. */
static void fill_buffer(const launch_buffer_t *b, uint64_t seed, uint8_t *to) {
  const unsigned size = b->array.type->bytes;
  uint64_t state = b->seeded ? b->seed : seed;
  if (b->fill == FILL_DATA) memcpy(to, b->data, b->bytes);
  for (uint64_t i = 0; i < b->array.count; i++) switch (b->fill) {
    case FILL_VALUE: memcpy(to + i * size, b->value, size); break;
    case FILL_IOTA: iota_element(b, i, to + i * size); break;
    case FILL_RANDOM: random_element(b, &state, to + i * size); break;
    default: return;
    }
}

/* Launches in the file, each once, whatever its repeats. */
static unsigned count_steps(const launch_step_t *step, unsigned steps) {
  unsigned sum = 0;
  for (unsigned i = 0; i < steps; i++) sum += step[i].kernel ? 1 : count_steps(step[i].step, step[i].steps);
  return sum;
}

/* Every buffer draws a seed, used or not: so a change of one buffer's fill leaves
 * the others' alone. */
static void *launch_make(const workload_t *workload, uint64_t seed) {
  const launch_file_t *l = (const launch_file_t *)workload;
  run_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->file = l;
  s->steps = count_steps(l->step, l->steps);
  s->host = calloc(l->buffers + 1, sizeof *s->host);
  s->at = calloc(l->buffers + 1, sizeof *s->at);
  s->handle = calloc(l->textures + 1, sizeof *s->handle);
  s->cycles = calloc(s->steps + 1, sizeof *s->cycles);
  s->times = calloc(s->steps + 1, sizeof *s->times);
  s->compared = calloc(l->compares + 1, sizeof *s->compared);
  bool good = s->host && s->at && s->handle && s->cycles && s->times && s->compared;
  for (unsigned i = 0; good && i < l->buffers; i++) {
    const uint64_t own = data_random(&seed);
    if ((good = (s->host[i] = calloc(1, l->buffer[i].bytes)))) fill_buffer(&l->buffer[i], own, s->host[i]);
  }
  if (good) return s;
  launch_destroy(s);
  return NULL;
}

/* ---- launches ---- */

/* Appends what kernels have printed since the last call. */
static void take_printed(run_t *s, const runtime_t *rt) {
  uint64_t bytes = 0;
  char *text = rt->printed ? rt->printed(rt->ctx, &bytes) : NULL;
  char *more = text ? realloc(s->printed, s->printed_bytes + bytes) : NULL;
  if (more) memcpy(more + s->printed_bytes, text, bytes), s->printed = more, s->printed_bytes += bytes;
  free(text);
}

/* Addresses and handles are known only now, so they are patched into the parameters. */
static int launch_once(run_t *s, const runtime_t *rt, const launch_step_t *step, unsigned number) {
  for (unsigned i = 0; i < step->patches; i++) {
    const launch_patch_t *p = &step->patch[i];
    const uint64_t value = p->texture ? s->handle[p->buffer] : s->at[p->buffer] + p->offset;
    memcpy(step->params + p->at, &value, p->bytes);
  }
  const rt_launch_t launch = {step->kernel,       step->grid,   step->block,
                              step->shared_bytes, step->params, step->param_bytes};
  const uint64_t before = rt->cycles ? rt->cycles(rt->ctx) : 0;
  const int status = (step->cooperative ? rt->launch_cooperative : rt->launch)(rt->ctx, &launch);
  if (rt->cycles) s->cycles[number] += rt->cycles(rt->ctx) - before;
  s->times[number]++;
  take_printed(s, rt);
  return status;
}

/* Runs the steps in order, groups by recursion. `number` counts the first launch of these steps. */
static int launch_steps(run_t *s, const runtime_t *rt, const launch_step_t *step, unsigned steps, unsigned number) {
  int status = 0;
  for (unsigned i = 0; i < steps; i++) {
    for (uint64_t k = 0; !status && k < step[i].repeat; k++)
      status = step[i].kernel ? launch_once(s, rt, &step[i], number)
                              : launch_steps(s, rt, step[i].step, step[i].steps, number);
    number += step[i].kernel ? 1 : count_steps(step[i].step, step[i].steps);
  }
  return status;
}

/* 2: the machine has no texture units. */
static int make_texture(run_t *s, const runtime_t *rt, unsigned i) {
  const launch_texture_t *t = &s->file->texture[i];
  rt_texture_t texture = t->texture;
  if (t->buffer >= 0) texture.at = s->at[t->buffer] + t->offset;
  if (!rt->texture) return 2;
  const int status = rt->texture(rt->ctx, &texture, &s->handle[i]);
  return status || !t->reference ? status : rt->bind(rt->ctx, t->reference, s->handle[i]);
}

/* Stops at the first call that fails, and returns its status. */
static int launch_run(void *state, const runtime_t *rt) {
  run_t *s = state;
  const launch_file_t *l = s->file;
  int status = 0;
  for (unsigned i = 0; !status && i < l->buffers; i++) {
    const launch_buffer_t *b = &l->buffer[i];
    const uint64_t more = b->align > 256 ? b->align : 0; /* a machine's buffers are at multiples of 256 */
    if (!(status = rt->malloc(rt->ctx, b->bytes + more, &s->at[i])))
      s->at[i] = (s->at[i] + b->align - 1) & ~(b->align - 1);
    if (!status) status = rt->memcpy_h2d(rt->ctx, s->at[i], s->host[i], b->bytes);
  }
  for (unsigned i = 0; !status && i < l->textures; i++) status = make_texture(s, rt, i);
  if (!status) status = launch_steps(s, rt, l->step, l->steps, 0);
  for (unsigned i = 0; !status && i < l->buffers; i++)
    status = rt->memcpy_d2h(rt->ctx, s->host[i], s->at[i], l->buffer[i].bytes);
  return status;
}

/* ---- what came of it ---- */

/* Compares element by element; `first` keeps the first few differences. */
static void compare_buffer(run_t *s, const launch_compare_t *c, compared_t *to) {
  const unsigned size = c->type->bytes;
  const uint8_t *got = s->host[c->buffer] + c->first * size, *want = c->with >= 0 ? s->host[c->with] : c->want;
  for (uint64_t i = 0; i < c->count; i++, got += size, want += size) {
    if (element_same(c->type, got, want, &c->tolerance)) continue;
    if (to->shown < LAUNCH_SHOWN) to->first[to->shown++] = (difference_t){c->first + i, got, want};
    to->wrong++;
  }
}

/* All comparisons are made, for the facts; *trouble names the first that fails. */
static bool launch_check(const void *state, trouble_t *trouble) {
  run_t *s = (run_t *)state;
  const launch_file_t *l = s->file;
  bool good = true;
  for (unsigned i = 0; i < l->compares; i++) {
    const launch_compare_t *c = &l->compare[i];
    compared_t *to = &s->compared[i];
    *to = (compared_t){0};
    compare_buffer(s, c, to);
    if (!to->wrong) continue;
    char got[ELEMENT_TEXT], want[ELEMENT_TEXT];
    element_print(c->type, to->first[0].got, got);
    element_print(c->type, to->first[0].want, want);
    if (good)
      trouble_set(trouble, TROUBLE_BROKEN, "%s[%" PRIu64 "] is %s, not %s; %" PRIu64 " of %" PRIu64 " elements differ",
                  l->buffer[c->buffer].name, to->first[0].index, got, want, to->wrong, c->count);
    good = false;
  }
  return good;
}

/* The file appears only when it is whole (whole.h). */
static bool write_dump(const run_t *s, const launch_dump_t *d, trouble_t *trouble) {
  whole_t whole;
  const launch_buffer_t *b = &s->file->buffer[d->buffer];
  FILE *out = fopen(whole_begin(&whole, d->path), "wb");
  int error = out ? 0 : errno;
  if (out) {
    if (d->npy) npy_head(out, b->array.type, b->array.dims, b->array.shape);
    errno = 0;
    if (fwrite(s->host[d->buffer], 1, b->bytes, out) != b->bytes) error = errno ? errno : EIO;
    error = whole_close(out, error);
  }
  if (!(error = whole_end(&whole, error))) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", d->path, strerror(error));
}

static bool launch_keep(const void *state, trouble_t *trouble) {
  const run_t *s = state;
  for (unsigned i = 0; i < s->file->dumps; i++)
    if (!write_dump(s, &s->file->dump[i], trouble)) return false;
  return true;
}

static json_t *json_number(uint64_t value) {
  return json_integer((json_int_t)value);
}

/* A JSON object for each launch, groups flattened. */
static void add_launches(const run_t *s, json_t *list, const launch_step_t *step, unsigned steps, unsigned number) {
  for (unsigned i = 0; i < steps; i++) {
    if (!step[i].kernel) {
      add_launches(s, list, step[i].step, step[i].steps, number);
      number += count_steps(step[i].step, step[i].steps);
      continue;
    }
    const rt_dim3_t g = step[i].grid, b = step[i].block;
    json_array_append_new(list, json_pack("{s:s, s:i, s:[III], s:[III], s:I, s:o, s:o}", "kernel", step[i].kernel,
                                          "line", (int)step[i].line, "grid", (json_int_t)g.x, (json_int_t)g.y,
                                          (json_int_t)g.z, "block", (json_int_t)b.x, (json_int_t)b.y, (json_int_t)b.z,
                                          "shared_bytes", (json_int_t)step[i].shared_bytes, "times",
                                          json_number(s->times[number]), "cycles", json_number(s->cycles[number])));
    number++;
  }
}

/* A JSON object for each comparison, with its first differences. */
static json_t *compares_json(const run_t *s) {
  json_t *list = json_array();
  char got[ELEMENT_TEXT], want[ELEMENT_TEXT];
  for (unsigned i = 0; i < s->file->compares; i++) {
    const launch_compare_t *c = &s->file->compare[i];
    const compared_t *of = &s->compared[i];
    json_t *first = json_array();
    for (unsigned k = 0; k < of->shown; k++) {
      element_print(c->type, of->first[k].got, got);
      element_print(c->type, of->first[k].want, want);
      json_array_append_new(
          first, json_pack("{s:o, s:s, s:s}", "index", json_number(of->first[k].index), "got", got, "want", want));
    }
    json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "buffer", s->file->buffer[c->buffer].name, "elements",
                                          json_number(c->count), "different", json_number(of->wrong), "first", first));
  }
  return list;
}

/* JSON holds text alone, so other bytes become question marks. */
static json_t *printed_json(const run_t *s) {
  for (size_t i = 0; i < s->printed_bytes; i++) {
    const unsigned char c = (unsigned char)s->printed[i];
    if (c >= 0x7f || (c < ' ' && c != '\n' && c != '\t' && c != '\r')) s->printed[i] = '?';
  }
  return json_stringn(s->printed ? s->printed : "", s->printed_bytes);
}

static char *launch_facts(const void *state) {
  const run_t *s = state;
  json_t *launches = json_array(), *dumps = json_array();
  add_launches(s, launches, s->file->step, s->file->steps, 0);
  for (unsigned i = 0; i < s->file->dumps; i++)
    json_array_append_new(dumps, json_pack("{s:s, s:s}", "buffer", s->file->buffer[s->file->dump[i].buffer].name,
                                           "file", s->file->dump[i].path));
  json_t *root = json_pack("{s:o, s:o, s:o, s:o}", "launches", launches, "compare", compares_json(s), "dump", dumps,
                           "printed", printed_json(s));
  char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
  json_decref(root);
  return text;
}

const workload_t launch_run_workload = {.make = launch_make,
                                        .run = launch_run,
                                        .check = launch_check,
                                        .destroy = launch_destroy,
                                        .keep = launch_keep,
                                        .facts = launch_facts};
