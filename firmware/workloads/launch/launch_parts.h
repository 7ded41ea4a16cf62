/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a launch file, shared by its readers and its runner:
 *
 *    launch_file.c      the file, its module, common keys      launch_step.c     launches
 *    launch_buffer.c    buffers                                launch_check.c    dump, compare
 *    launch_texture.c   textures                               launch_run.c      runs all of it
 *
 * Readers return false after an error, which then stands in the reader's yaml.trouble.
 */
#ifndef LAUNCH_PARTS_H
#define LAUNCH_PARTS_H

#include <sha2.h>

#include "element.h"
#include "launch_file.h"
#include "npy.h"
#include "ptx.h"
#include "yaml_file.h"

enum {
  LAUNCH_NAME = 64,
  LAUNCH_PATH = 4096,
  LAUNCH_BUFFERS = 256,
  LAUNCH_TEXTURES = 256,
  LAUNCH_STEPS = 4096,    /* launches and groups of a file */
  LAUNCH_DEPTH = 8,       /* groups in groups */
  LAUNCH_SHOWN = 8,       /* differences */
  LAUNCH_REPEAT = 1000000 /* of a launch or a group */
};
#define LAUNCH_BYTES ((uint64_t)1 << 32) /* of a buffer */

/* An array: what a buffer or a file of numbers is. */
typedef struct {
  const element_t *type;
  unsigned dims;
  uint64_t shape[NPY_DIMS], count;
} launch_array_t;

/* What a buffer holds before the first launch. */
typedef enum { FILL_ZEROS, FILL_VALUE, FILL_IOTA, FILL_RANDOM, FILL_DATA } launch_fill_t;

/* A number of a fill: `real` counts if the buffer's type is floating, else `whole`. */
typedef struct {
  double real;
  int64_t whole;
} launch_number_t;

/* A buffer. `value` is an element for FILL_VALUE; `seed` counts if `seeded`. */
typedef struct {
  char name[LAUNCH_NAME];
  launch_array_t array;
  uint64_t bytes, align;
  launch_fill_t fill;
  uint8_t value[ELEMENT_BYTES];
  launch_number_t first, second; /* IOTA: from, step; RANDOM: least, most */
  bool seeded;
  uint64_t seed;
  uint8_t *data; /* FILL_DATA: all bytes */
} launch_buffer_t;

/* A buffer, or a sampler alone, as a texture or surface. */
typedef struct {
  char name[LAUNCH_NAME];
  int buffer; /* -1: a sampler */
  uint64_t offset;
  rt_texture_t texture;  /* all but the address */
  const char *reference; /* reference of the module that is bound to it; NULL: none */
  unsigned line;
} launch_texture_t;

/* A parameter that is known at run time alone: a buffer's address plus an offset, or the handle of
 * a texture. */
typedef struct {
  uint32_t at, bytes; /* in the parameter block */
  bool texture;
  unsigned buffer; /* or the texture's number */
  uint64_t offset;
} launch_patch_t;

/* A launch, or a group of launches. */
typedef struct launch_step {
  unsigned line;
  uint64_t repeat;
  const char *kernel; /* NULL: a group */
  rt_dim3_t grid, block;
  uint32_t shared_bytes, param_bytes, patches;
  bool cooperative; /* blocks wait for each other */
  uint8_t *params;
  launch_patch_t *patch;
  struct launch_step *step;
  unsigned steps;
} launch_step_t;

/* A buffer that is written into a file at the end. */
typedef struct {
  unsigned buffer;
  char *path; /* as in the file */
  bool npy;
} launch_dump_t;

/* A comparison of a part of a buffer at the end. */
typedef struct {
  unsigned buffer;
  const element_t *type;
  uint64_t first, count; /* elements of the buffer */
  int with;              /* another buffer; -1: data */
  uint8_t *want;
  element_tolerance_t tolerance;
} launch_compare_t;

struct launch_file {
  workload_t workload; /* first, so that it leads back here */
  char *path, *help, *text, *module_path;
  char digest[SHA256_DIGEST_STRING_LENGTH];
  ptx_module_t *module;
  launch_buffer_t *buffer;
  launch_texture_t *texture;
  launch_step_t *step;
  launch_dump_t *dump;
  launch_compare_t *compare;
  unsigned buffers, textures, steps, dumps, compares;
};

/* A file while it is read. */
typedef struct {
  launch_file_t *file;
  yaml_file_t yaml;
  SHA2_CTX digest; /* of all that a run depends on */
  unsigned all_steps;
} launch_reader_t;

/* The sections; each fills in its part of r->file. */
bool launch_read_buffers(launch_reader_t *r, const yaml_node_t *node);
bool launch_read_textures(launch_reader_t *r, const yaml_node_t *node);
bool launch_read_steps(launch_reader_t *r, const yaml_node_t *node);
bool launch_read_dump(launch_reader_t *r, const yaml_node_t *node);
bool launch_read_compare(launch_reader_t *r, const yaml_node_t *node);

/* ---- what the sections have in common ---- */

/* Reports what is wrong with a node, with file and line. Always false. */
#define launch_wrong(r, node, ...) yaml_file_wrong(&(r)->yaml, node, __VA_ARGS__)

typedef struct {
  const char *name;
  const yaml_node_t **node; /* set where the mapping has it, else NULL */
} launch_key_t;

/* Puts each key of a mapping into its node, NULL where the mapping lacks it. `keys` ends with a
 * NULL name; `what` is the mapping's name in messages: "a buffer". */
bool launch_keys(launch_reader_t *r, const yaml_node_t *mapping, const char *what, const launch_key_t *keys);
/* A whole number from `least` to `most`; `what` is its name in messages. */
bool launch_uint(launch_reader_t *r, const yaml_node_t *node, const char *what, uint64_t least, uint64_t most,
                 uint64_t *value);
/* An element type by name. */
bool launch_type(launch_reader_t *r, const yaml_node_t *node, const element_t **type);
/* Reports the lack of memory; always false. */
bool launch_no_memory(launch_reader_t *r, const yaml_node_t *node);

/* The number of the buffer with that name, or -1. launch_buffer_named reports it if there is
 * none. */
int launch_find_buffer(const launch_reader_t *r, const char *name);
bool launch_buffer_named(launch_reader_t *r, const yaml_node_t *node, unsigned *number);

bool launch_is_name(const char *name); /* of a buffer or texture: letters, digits and _, a letter first */

/* A path as seen from the launch file's folder, to be freed; NULL: out of memory. */
char *launch_beside(const launch_reader_t *r, const char *path); /* as seen from the launch file; NULL: out of memory */
/* Reads the elements of a raw or .npy file into *data, to be freed. *array holds what is known
 * before, with type NULL or dims 0 where nothing is; it then holds what the file has. */
bool launch_data(launch_reader_t *r, const yaml_node_t *path, launch_array_t *array, uint8_t **data);

/* The elements of a list of numbers, to be freed. */
bool launch_values(launch_reader_t *r, const yaml_node_t *list, const element_t *type, uint64_t *count, uint8_t **data);

bool launch_is_npy(const char *path);

#endif
