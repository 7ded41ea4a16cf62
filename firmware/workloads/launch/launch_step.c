/* SPDX-License-Identifier: Apache-2.0
 *
 * The section `launches`: kernels with grid, block and arguments, checked against the module; and
 * groups that are repeated.
 *
 *    launches:  [ launch, launch, { repeat: 10, launches: [ launch, launch ] } ]
 *
 * Groups nest up to LAUNCH_DEPTH deep.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "launch_parts.h"
#include "nearest.h"

/* Limits of CUDA devices: threads of a block, block.z, grid.y and grid.z, grid.x. */
enum { THREADS = 1024, BLOCK_Z = 64, GRID_YZ = 65535 };
#define GRID_X 0x7fffffffu

/* ---- arguments ---- */

/* The element type of a scalar parameter; NULL: it is an array, a vector, or of another type. */
static const element_t *type_of_parameter(const ptx_var_t *v) {
  char kind = 0;
  switch (ptx_type_kind(v->type)) {
  case 'F': kind = 'f'; break;
  case 'S': kind = 'i'; break;
  case 'U':
  case 'B': kind = 'u'; break;
  default: break;
  }
  return v->num_dims || v->vec > 1 ? NULL : element_of(kind, ptx_type_bytes(v->type));
}

/* May the parameter be an address? PTX declares pointers as integers of the address size. */
static bool is_pointer(const launch_reader_t *r, const ptx_var_t *v) {
  const element_t *t = type_of_parameter(v);
  return t && t->kind != 'f' && t->bytes == r->file->module->address_bytes;
}

/* Notes a buffer's address as a patch of the parameter block, as addresses are known at
 * run time alone. */
static bool add_address(launch_reader_t *r, const yaml_node_t *node, launch_step_t *s, const ptx_var_t *v,
                        unsigned buffer, uint64_t offset) {
  const launch_buffer_t *b = &r->file->buffer[buffer];
  if (!is_pointer(r, v))
    return launch_wrong(r, node, "%s is a buffer, but this parameter of %s is .%s%s; a number would be right", b->name,
                        s->kernel, ptx_type_name(v->type), v->num_dims ? "[]" : "");
  s->patch[s->patches++] =
      (launch_patch_t){.at = (uint32_t)v->offset, .bytes = (uint32_t)v->size, .buffer = buffer, .offset = offset};
  return true;
}

/* The same for a texture's handle, which has 64 bits. */
static bool add_handle(launch_reader_t *r, const yaml_node_t *node, launch_step_t *s, const ptx_var_t *v,
                       unsigned texture) {
  const launch_texture_t *t = &r->file->texture[texture];
  const bool reference = v->type == PTX_TEXREF || v->type == PTX_SAMPLERREF || v->type == PTX_SURFREF;
  if (v->size != 8 || (!reference && ptx_type_kind(v->type) == 'F') || v->num_dims)
    return launch_wrong(r, node, "%s is a texture, whose handle has 64 bits, but this parameter of %s is .%s%s",
                        t->name, s->kernel, ptx_type_name(v->type), v->num_dims ? "[]" : "");
  s->patch[s->patches++] = (launch_patch_t){.at = (uint32_t)v->offset, .bytes = 8, .texture = true, .buffer = texture};
  return true;
}

static int find_texture(const launch_reader_t *r, const char *name) {
  for (unsigned i = 0; i < r->file->textures; i++)
    if (!strcmp(r->file->texture[i].name, name)) return (int)i;
  return -1;
}

/* {buffer: x, offset: 16} or {hex: 00ff..}; hex gives all bytes of a parameter that is a
 * structure. */
static bool read_mapping(launch_reader_t *r, const yaml_node_t *node, launch_step_t *s, const ptx_var_t *v) {
  const yaml_node_t *buffer, *offset, *hex;
  const launch_key_t keys[] = {{"buffer", &buffer}, {"offset", &offset}, {"hex", &hex}, {0}};
  bool good = launch_keys(r, node, "an argument", keys);
  unsigned number;
  uint64_t at = 0;
  if (!good) return false;
  if (!!buffer + !!hex != 1 || (hex && offset))
    return launch_wrong(r, node, "an argument is {buffer: NAME, offset: BYTES} or {hex: DIGITS}");
  if (buffer) {
    if (!launch_buffer_named(r, buffer, &number)) return false;
    if (offset && !launch_uint(r, offset, "offset", 0, r->file->buffer[number].bytes, &at)) return false;
    return add_address(r, node, s, v, number, at);
  }
  const char *text = yaml_scalar(hex) ? yaml_scalar(hex) : "";
  if (strspn(text, "0123456789abcdefABCDEF") != strlen(text) || strlen(text) != 2 * v->size)
    return launch_wrong(r, hex, "hex: two digits for each of this parameter's %" PRIu64 " bytes would be right",
                        v->size);
  for (uint64_t i = 0; i < v->size; i++)
    s->params[v->offset + i] = (uint8_t)strtoul((char[3]){text[2 * i], text[2 * i + 1], 0}, NULL, 16);
  return true;
}

/* A buffer's name, a texture's name, a number or a mapping. */
static bool read_argument(launch_reader_t *r, const yaml_node_t *node, launch_step_t *s, unsigned number,
                          const ptx_var_t *v) {
  const char *text = yaml_scalar(node);
  const element_t *type = type_of_parameter(v);
  trouble_t trouble = {0};
  unsigned buffer;
  if (!text) return read_mapping(r, node, s, v);
  const int named = launch_find_buffer(r, text);
  if (named >= 0) return add_address(r, node, s, v, (unsigned)named, 0);
  if (find_texture(r, text) >= 0) return add_handle(r, node, s, v, (unsigned)find_texture(r, text));
  if (!type)
    return launch_wrong(r, node, "argument %u of %s is .%s[%" PRIu64 "]; {hex: DIGITS} would be right", number,
                        s->kernel, ptx_type_name(v->type), v->size);
  if (is_pointer(r, v) && !strchr("0123456789+-.", *text)) return launch_buffer_named(r, node, &buffer);
  if (element_read(type, text, true, s->params + v->offset, &trouble)) return true;
  return launch_wrong(r, node, "argument %u of %s: %s", number, s->kernel, trouble.text);
}

/* As many arguments as the kernel has parameters. */
static bool read_arguments(launch_reader_t *r, const yaml_node_t *launch, const yaml_node_t *args, launch_step_t *s,
                           const ptx_func_t *k) {
  const ptx_module_t *m = r->file->module;
  size_t given = 0;
  if (args && args->type != YAML_SEQUENCE_NODE)
    return launch_wrong(r, args, "args: a list such as [1000, 2.5, x, y] would be right");
  while (args && yaml_file_item(&r->yaml, args, given)) given++;
  if (given != k->num_params)
    return launch_wrong(r, args ? args : launch, "%s has %u parameters, not %zu", s->kernel, k->num_params, given);
  s->param_bytes = (uint32_t)k->param_bytes;
  s->params = calloc(1, k->param_bytes + 1);
  s->patch = calloc(k->num_params + 1, sizeof *s->patch);
  if (!s->params || !s->patch) return launch_no_memory(r, launch);
  bool good = true;
  for (unsigned i = 0; good && i < k->num_params; i++)
    good = read_argument(r, yaml_file_item(&r->yaml, args, i), s, i + 1, &m->vars[k->params[i]]);
  return good;
}

/* ---- sizes ---- */

/* 40, [40], [40, 2] or [40, 2, 1]; missing ones are 1. */
static bool read_dim(launch_reader_t *r, const yaml_node_t *node, const char *what, const uint64_t most[3],
                     rt_dim3_t *dim) {
  uint64_t size[3] = {1, 1, 1};
  const yaml_node_t *item;
  bool good = true;
  if (node->type == YAML_SEQUENCE_NODE)
    for (size_t i = 0; good && (item = yaml_file_item(&r->yaml, node, i)); i++)
      good = i < 3 ? launch_uint(r, item, what, 1, most[i], &size[i])
                   : launch_wrong(r, item, "%s: three numbers at most", what);
  else good = launch_uint(r, node, what, 1, most[0], &size[0]);
  *dim = (rt_dim3_t){(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};
  return good;
}

/* Grid and block within the limits, and as the kernel's .reqntid and .maxntid want the block. */
static bool read_sizes(launch_reader_t *r, const yaml_node_t *grid, const yaml_node_t *block, launch_step_t *s,
                       const ptx_func_t *k) {
  static const uint64_t grids[3] = {GRID_X, GRID_YZ, GRID_YZ}, blocks[3] = {THREADS, THREADS, BLOCK_Z};
  if (!read_dim(r, grid, "grid", grids, &s->grid) || !read_dim(r, block, "block", blocks, &s->block)) return false;
  const uint64_t threads = (uint64_t)s->block.x * s->block.y * s->block.z;
  if (threads > THREADS) return launch_wrong(r, block, "block: %" PRIu64 " threads; %d are the most", threads, THREADS);
  const uint64_t compiled = ptx_block_most(k);
  if (compiled && threads > compiled)
    return launch_wrong(r, block, "block: %" PRIu64 " threads; %s was compiled for at most %" PRIu64 " (.maxntid)",
                        threads, s->kernel, compiled);
  const uint32_t *n = k->reqntid;
  if (!n[0] || (s->block.x == n[0] && s->block.y == n[1] && s->block.z == n[2])) return true;
  return launch_wrong(r, block, "block: %s was compiled for blocks of %u x %u x %u threads", s->kernel, n[0], n[1],
                      n[2]);
}

static bool read_cooperative(launch_reader_t *r, const yaml_node_t *node, bool *cooperative) {
  const char *text = yaml_scalar(node);
  *cooperative = text && !strcmp(text, "true");
  return *cooperative || (text && !strcmp(text, "false")) ||
         launch_wrong(r, node, "cooperative: true or false would be right");
}

/* ---- launches and groups ---- */

/* Refused with the nearest kernel's name. */
static bool find_kernel(launch_reader_t *r, const yaml_node_t *node, const ptx_func_t **kernel) {
  const ptx_module_t *m = r->file->module;
  const char *name = yaml_scalar(node);
  nearest_t near;
  *kernel = name ? ptx_find_kernel(m, name) : NULL;
  if (*kernel && (*kernel)->defined) return true;
  nearest_start(&near, name ? name : "");
  for (uint32_t i = 0; i < m->num_funcs; i++)
    if (m->funcs[i].is_kernel) nearest_try(&near, m->funcs[i].name);
  return launch_wrong(r, node, "no kernel '%.80s' in %.160s%s", name ? name : "..", m->file, nearest_text(&near));
}

static bool read_steps(launch_reader_t *r, const yaml_node_t *list, launch_step_t **step, unsigned *steps,
                       unsigned depth);

/* A launch, or a group of launches. */
static bool read_step(launch_reader_t *r, const yaml_node_t *node, launch_step_t *s, unsigned depth) {
  const yaml_node_t *kernel, *grid, *block, *args, *shared, *cooperative, *repeat, *launches;
  const launch_key_t keys[] = {{"kernel", &kernel}, {"grid", &grid},         {"block", &block},
                               {"args", &args},     {"shared", &shared},     {"cooperative", &cooperative},
                               {"repeat", &repeat}, {"launches", &launches}, {0}};
  const ptx_func_t *k;
  uint64_t bytes = 0;
  s->repeat = 1, s->line = (unsigned)node->start_mark.line + 1;
  if (!launch_keys(r, node, "a launch", keys)) return false;
  if (repeat && !launch_uint(r, repeat, "repeat", 1, LAUNCH_REPEAT, &s->repeat)) return false;
  if (launches) {
    if (kernel || grid || block || args || shared || cooperative)
      return launch_wrong(r, launches, "a group has launches and repeat alone");
    return depth == LAUNCH_DEPTH ? launch_wrong(r, launches, "more than %d groups in each other", LAUNCH_DEPTH)
                                 : read_steps(r, launches, &s->step, &s->steps, depth + 1);
  }
  const char *missing = NULL;
  if (!block) missing = "block";
  if (!grid) missing = "grid";
  if (!kernel) missing = "kernel";
  if (missing) return launch_wrong(r, node, "a launch has kernel, grid and block; %s is missing", missing);
  if (!find_kernel(r, kernel, &k)) return false;
  s->kernel = k->name;
  if (!read_sizes(r, grid, block, s, k)) return false;
  if (shared && !launch_uint(r, shared, "shared", 0, 1 << 20, &bytes)) return false;
  s->shared_bytes = (uint32_t)bytes;
  if (cooperative && !read_cooperative(r, cooperative, &s->cooperative)) return false;
  return read_arguments(r, node, args, s, k);
}

/* The length is known before the array is made, so that steps do not move. */
static bool read_steps(launch_reader_t *r, const yaml_node_t *list, launch_step_t **step, unsigned *steps,
                       unsigned depth) {
  const yaml_node_t *item;
  size_t count = 0;
  if (list->type != YAML_SEQUENCE_NODE || !yaml_file_item(&r->yaml, list, 0))
    return launch_wrong(r, list,
                        "launches: a list of '- {kernel: .., grid: .., block: .., args: [..]}' would be right");
  while (yaml_file_item(&r->yaml, list, count)) count++;
  if ((r->all_steps += (unsigned)count) > LAUNCH_STEPS)
    return launch_wrong(r, list, "launches: more than %d; repeat would be right", LAUNCH_STEPS);
  if (!(*step = calloc(count, sizeof **step))) return launch_no_memory(r, list);
  bool good = true;
  for (*steps = 0; good && (item = yaml_file_item(&r->yaml, list, *steps));)
    good = read_step(r, item, &(*step)[(*steps)++], depth);
  return good;
}

bool launch_read_steps(launch_reader_t *r, const yaml_node_t *node) {
  return read_steps(r, node, &r->file->step, &r->file->steps, 0);
}
