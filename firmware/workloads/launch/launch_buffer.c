/* SPDX-License-Identifier: Apache-2.0
 *
 * The section `buffers`: what each is made of and what is in it before the first launch.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "launch_parts.h"

/* ---- size ---- */

static const char *add_dim(launch_reader_t *r, const yaml_node_t *node, launch_array_t *a) {
  uint64_t size;
  const char *failed = launch_uint(r, node, "count", 1, LAUNCH_BYTES, &size);
  if (failed) return failed;
  if (a->dims == NPY_DIMS) return launch_wrong(r, node, "count: more than %d dimensions", NPY_DIMS);
  a->shape[a->dims++] = size;
  if (!__builtin_mul_overflow(a->count, size, &a->count) && a->count <= LAUNCH_BYTES) return NULL;
  return launch_wrong(r, node, "count: a buffer has 2^32 bytes at most");
}

/* 1000, or [rows, columns]. */
static const char *read_count(launch_reader_t *r, const yaml_node_t *node, launch_array_t *a) {
  const yaml_node_t *item;
  const char *failed = NULL;
  a->count = 1;
  if (node->type != YAML_SEQUENCE_NODE) return add_dim(r, node, a);
  for (size_t i = 0; !failed && (item = yaml_file_item(&r->yaml, node, i)); i++) failed = add_dim(r, item, a);
  return failed || a->dims ? failed
                           : launch_wrong(r, node, "count: a number of elements, or [rows, columns], would be right");
}

/* ---- contents ---- */

static const char *read_number(launch_reader_t *r, const yaml_node_t *node, const element_t *t,
                               launch_number_t *number) {
  const element_t *as = t->kind == 'f' ? t : t->kind == 'u' ? element_find("u64") : element_find("s64");
  uint8_t value[ELEMENT_BYTES];
  trouble_t trouble = {.text = "a number would be right"};
  const char *text = yaml_scalar(node);
  if (!text || !element_read(as, text, true, value, &trouble)) return launch_wrong(r, node, "fill: %s", trouble.text);
  number->real = element_real(as, value), number->whole = element_whole(as, value);
  return NULL;
}

static const char *read_pair(launch_reader_t *r, const yaml_node_t *node, const char *what, launch_buffer_t *b) {
  const yaml_node_t *one = node->type == YAML_SEQUENCE_NODE ? yaml_file_item(&r->yaml, node, 0) : NULL,
                    *two = one ? yaml_file_item(&r->yaml, node, 1) : NULL;
  if (!two || yaml_file_item(&r->yaml, node, 2)) return launch_wrong(r, node, "fill: '%s' would be right", what);
  const char *failed = read_number(r, one, b->array.type, &b->first);
  return failed ? failed : read_number(r, two, b->array.type, &b->second);
}

/* Whole numbers that the type does not have. */
static bool fits(const element_t *t, __int128 value) {
  const unsigned bits = 8 * t->bytes;
  const __int128 most = ((__int128)1 << (t->kind == 'i' ? bits - 1 : bits)) - 1, least = t->kind == 'i' ? -most - 1 : 0;
  return value >= least && value <= most;
}

static __int128 wide(const element_t *t, int64_t whole) {
  return t->kind == 'u' ? (__int128)(uint64_t)whole : (__int128)whole;
}

static const char *read_iota(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const element_t *t = b->array.type;
  b->fill = FILL_IOTA;
  const char *failed = read_pair(r, node, "iota: [first, step]", b);
  if (failed || t->kind == 'f') return failed;
  const __int128 last = wide(t, b->first.whole) + (__int128)b->second.whole * (__int128)(b->array.count - 1);
  if (fits(t, wide(t, b->first.whole)) && fits(t, last)) return NULL;
  return launch_wrong(r, node, "fill: iota: the first or the last number is no %s", t->name);
}

static const char *read_random(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const element_t *t = b->array.type;
  b->fill = FILL_RANDOM;
  const char *failed = read_pair(r, node, "random: [least, most]", b);
  if (failed) return failed;
  const bool ordered = t->kind == 'f'
                           ? b->first.real <= b->second.real && b->second.real - b->first.real < __builtin_inf()
                           : fits(t, wide(t, b->first.whole)) && fits(t, wide(t, b->second.whole)) &&
                                 wide(t, b->first.whole) <= wide(t, b->second.whole);
  return ordered ? NULL
                 : launch_wrong(r, node, "fill: random: the least and the most number of a range of %s would be right",
                                t->name);
}

static const char *needs_count(launch_reader_t *r, const yaml_node_t *node, const launch_buffer_t *b) {
  return b->array.dims
             ? NULL
             : launch_wrong(r, node, "buffer %s: its size is missing; bytes, or type and count, would be right",
                            b->name);
}

/* Without a range: [-1, 1), and all whole numbers. */
static void any_random(launch_buffer_t *b) {
  const element_t *t = b->array.type;
  const unsigned bits = 8 * t->bytes;
  b->fill = FILL_RANDOM;
  b->first = (launch_number_t){-1, t->kind == 'i' ? (int64_t)(UINT64_MAX << (bits - 1)) : 0};
  b->second = (launch_number_t){1, t->kind == 'i' ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1)
                                                  : (int64_t)(UINT64_MAX >> (64 - bits))};
}

static const char *read_word(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const char *text = yaml_scalar(node);
  trouble_t trouble = {0};
  if (!strcmp(text, "random")) return any_random(b), NULL;
  b->first = (launch_number_t){0}, b->second = (launch_number_t){1, 1};
  b->fill = !strcmp(text, "zeros") ? FILL_ZEROS : !strcmp(text, "iota") ? FILL_IOTA : FILL_VALUE;
  if (b->fill == FILL_IOTA && b->array.type->kind != 'f' && !fits(b->array.type, (__int128)b->array.count - 1))
    return launch_wrong(r, node, "fill: iota: the last number is no %s", b->array.type->name);
  if (b->fill != FILL_VALUE || element_read(b->array.type, text, false, b->value, &trouble)) return NULL;
  return launch_wrong(r, node, "fill: %s; so would zeros, iota, random or {file: NAME}", trouble.text);
}

static const char *read_list(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  uint64_t count;
  if (!b->array.type)
    return launch_wrong(r, node, "buffer %s: the type of its values is missing; 'type: f32' would be right", b->name);
  const char *failed = launch_values(r, node, b->array.type, &count, &b->data);
  if (failed) return failed;
  b->fill = FILL_DATA;
  if (!b->array.dims) b->array.dims = 1, b->array.shape[0] = b->array.count = count;
  if (count == b->array.count) return NULL;
  return launch_wrong(r, node, "fill: %" PRIu64 " values for %" PRIu64 " elements", count, b->array.count);
}

static const char *read_fill(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const yaml_node_t *random, *iota, *file, *values, *seed;
  const launch_key_t keys[] = {{"random", &random}, {"iota", &iota}, {"file", &file},
                               {"values", &values}, {"seed", &seed}, {0}};
  const char *failed;
  if (yaml_scalar(node)) return (failed = needs_count(r, node, b)) ? failed : read_word(r, node, b);
  if ((failed = launch_keys(r, node, "fill", keys))) return failed;
  if (!!random + !!iota + !!file + !!values != 1)
    return launch_wrong(r, node, "fill: one of random, iota, file and values would be right");
  if (seed && !random) return launch_wrong(r, seed, "seed: only 'random' has one");
  if (seed && (failed = launch_uint(r, seed, "seed", 0, UINT64_MAX, &b->seed))) return failed;
  b->seeded = seed != NULL;
  if (values) return read_list(r, values, b);
  if (file) return b->fill = FILL_DATA, launch_data(r, file, &b->array, &b->data);
  if ((failed = needs_count(r, node, b))) return failed;
  return random ? read_random(r, random, b) : read_iota(r, iota, b);
}

/* ---- a buffer ---- */

static const char *read_size(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b, const yaml_node_t *bytes,
                             const yaml_node_t *type, const yaml_node_t *count) {
  const char *failed = type ? launch_type(r, type, &b->array.type) : NULL;
  uint64_t size = 0;
  if (!failed && bytes && count) failed = launch_wrong(r, bytes, "buffer %s: either bytes or count", b->name);
  if (!failed && count && !type)
    failed =
        launch_wrong(r, count, "buffer %s: the type of its elements is missing; 'type: f32' would be right", b->name);
  if (!failed && count) failed = read_count(r, count, &b->array);
  if (!failed && bytes) failed = launch_uint(r, bytes, "bytes", 1, LAUNCH_BYTES, &size);
  if (failed || !bytes) return failed;
  if (!type) b->array.type = element_find("u8");
  b->array.dims = 1, b->array.shape[0] = b->array.count = size / b->array.type->bytes;
  return size % b->array.type->bytes
             ? launch_wrong(r, node, "buffer %s: %" PRIu64 " bytes are not whole elements", b->name, size)
             : NULL;
}

bool launch_is_name(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return strlen(name) < LAUNCH_NAME && strcasecmp(name, "inf") != 0 && strcasecmp(name, "nan") != 0;
}

static const char *read_keys(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const yaml_node_t *bytes, *type, *count, *fill, *align;
  const launch_key_t keys[] = {{"type", &type}, {"count", &count}, {"bytes", &bytes},
                               {"fill", &fill}, {"align", &align}, {0}};
  const char *failed = launch_keys(r, node, "a buffer", keys);
  if (!failed) failed = read_size(r, node, b, bytes, type, count);
  if (!failed && fill) failed = read_fill(r, fill, b);
  if (!failed) failed = needs_count(r, node, b);
  if (!failed && align) failed = launch_uint(r, align, "align", 1, 1 << 20, &b->align);
  if (!failed && b->align & (b->align - 1)) failed = launch_wrong(r, align, "align: a power of two would be right");
  if (failed) return failed;
  b->bytes = b->array.count * b->array.type->bytes;
  return b->bytes <= LAUNCH_BYTES ? NULL : launch_wrong(r, node, "buffer %s: it has more than 2^32 bytes", b->name);
}

static const char *read_buffer(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                               const yaml_node_t *value) {
  launch_reader_t *r = context;
  launch_file_t *l = r->file;
  (void)f;
  if (!launch_is_name(name))
    return launch_wrong(r, key, "'%.60s' is no name of a buffer; letters, digits and _ would be right, a letter first",
                        name);
  if (l->buffers == LAUNCH_BUFFERS) return launch_wrong(r, key, "more than %d buffers", LAUNCH_BUFFERS);
  launch_buffer_t *b = &l->buffer[l->buffers++];
  *b = (launch_buffer_t){.align = 256};
  snprintf(b->name, sizeof b->name, "%s", name);
  return read_keys(r, value, b);
}

const char *launch_read_buffers(launch_reader_t *r, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE)
    return launch_wrong(r, node, "buffers: 'name: {type: f32, count: 1000}' would be right");
  if (!(r->file->buffer = calloc(LAUNCH_BUFFERS, sizeof *r->file->buffer))) return launch_no_memory(r, node);
  return yaml_file_each(&r->yaml, node, read_buffer, r);
}
