/* SPDX-License-Identifier: Apache-2.0
 *
 * A device under test, as a loadable object: one block, one set of parameters, one kind (rtl,
 * rtl+wave, netlist ...), together with its golden model and its stimulus, compiled with the same
 * parameters. The object exports one symbol, `lockstack_dut` (a dut_t); everything else in it is
 * hidden.
 *
 * One cycle of the device (Moore and Mealy alike):
 *   set_inputs, eval      falling clock edge with the new inputs: the outputs of this cycle are
 *                         settled
 *   matches, get_outputs  may be called now, any number of times
 *   step                  rising clock edge; of the Verilated RTL matches and get_outputs then show
 *                         the new state, with this cycle's inputs
 * eval and step return false when an assertion in the RTL failed; failure() is its text. The device
 * stays usable. A text that starts with DUT_ENVIRONMENT is no assertion: the device's process is
 * gone, or could not be started. With DUT_INPUT: a file that the RTL reads is missing.
 *
 * One thread at a time uses an object; several devices of one object are fine.
 */
#ifndef DUT_H
#define DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUT_VERSION 14
#define DUT_ENVIRONMENT "environment: "
#define DUT_INPUT "input: "

typedef enum { DUT_IN, DUT_OUT, DUT_PROBE } dut_dir_t;
typedef enum { DUT_SCALAR, DUT_VECTOR, DUT_STRUCT } dut_shape_t;

/* A field of X_in_t (DUT_IN) or X_out_t (the others), in port-file order. */
typedef struct {
  const char *name;
  const char *valid; /* 1-bit scalar of the same struct that qualifies it; NULL: always valid */
  const char *type;  /* DUT_STRUCT: "pkt_hdr" */
  uint32_t width;    /* bits */
  uint32_t offset;   /* bytes from the start of the struct */
  uint32_t size;     /* bytes: a multiple of 8 */
  uint8_t dir;       /* dut_dir_t */
  uint8_t shape;     /* dut_shape_t */
  bool error;        /* the block raises it when something is wrong (ERROR in the port file) */
  uint32_t line;     /* of the port file; 0: not known */
  const char *pin;   /* its name in the RTL */
  uint64_t off;      /* of a scalar output: its bits that these parameters hold at 0 (OFF in the port file) */
  uint32_t off_line; /* of that entry; 0: none */
  /* of n elements (OUT_N): the port whose bit k says whether
   * element k is valid; `valid` is NULL then. NULL: no elements */
  const char *each;
} dut_port_t;

typedef struct {
  const char *name, *text;
  int64_t value, initial, least, most;
} dut_param_t;

/* A field of a struct port, most significant first. */
typedef struct {
  const char *name;
  uint32_t lsb, width; /* one element's width */
  uint32_t elements;   /* 1, or more: element 0 lowest */
} dut_field_t;

typedef struct {
  const char *name; /* "pkt_hdr" */
  const dut_field_t *fields;
  unsigned num_fields;
  /* Name of a value of a field, for reports; NULL: none. */
  const char *(*value_name)(const char *field, uint64_t value);
} dut_struct_t;

/* A register or memory of the RTL, by its name below the top: "i_queue.mem". */
typedef struct {
  const char *name;
  uint32_t width, elements; /* bits of an element; 1, or the rows of a memory */
} dut_state_t;

/* Kind rtl+wave: an instance of a module inside the RTL, "i_rx.i_move" of fifo_2w, where its module
 * is, and its parameters, "Width=64,Depth=2". A part comes before what is inside of it. */
typedef struct {
  const char *name, *module, *file, *params;
} dut_part_t;

/* An input port of a part, or, with part "", an output of the RTL, and what it hangs on: outputs of
 * parts, inputs of the RTL, registers, by their names below the top, a blank between two. */
typedef struct {
  const char *part, *port, *from;
} dut_wire_t;

/* Kind rtl+cov: a line or a branch of the RTL and its counter.
 * Instances of a part have points of their own or share one. */
typedef struct {
  const char *file;
  unsigned line, column;
  const char *name;  /* "block", "if", "else", "case" ... */
  const char *lines; /* those that run with it, "30-33,35"; "": none */
  uint32_t counter;  /* index into counters() */
} dut_point_t;

/* Kinds rtl+cov and netlist+toggles: a signal, or one element of an array
 * of signals. Its bit k, from the right, is NAME[right + k * step]. */
typedef struct {
  /* "TOP.lsu.i_coalesce.", "op"; of a netlist, where names have dots, "TOP lsu i_coalesce " */
  const char *scope, *name;
  int32_t element;     /* -1: no array */
  bool ranged;         /* a vector, if only of [0:0] */
  int32_t right, step; /* [7:4]: 4, 1; [0:3]: 3, -1 */
  uint32_t width;
  /* rtl+cov: its first word in rises and falls; netlist+toggles:
   * the count of its bit 0, those of the others follow */
  uint32_t first;
} dut_signal_t;

/* One bit for each bit of each signal that has changed
 * since the first reset of the device, or since forget. */
typedef struct {
  const uint32_t *rises, *falls;
  uint32_t words;
} dut_toggles_t;

/* Kind netlist+toggles. A cycle has two samples: its inputs settled, just before the clock rises,
 * and what the rising edge settled to. Delays are zero: between two samples a net changes once or
 * not at all. Signals that are one wire share their counts. */
typedef struct {
  uint32_t rises, falls; /* between one sample and the next */
  uint64_t high;         /* samples in which it was 1 */
  uint64_t edges;        /* those of them that the rising edge followed */
} dut_count_t;

typedef struct {
  uint64_t cycles, in_reset; /* counted ones, of two samples each; those in reset, of which nothing is counted */
} dut_counted_t;

/* Functional points of a port file: one, one for each
 * bin of an axis, or one for each pair of bins. */
typedef struct {
  const char *name, *text;
  unsigned line;                /* of the port file */
  uint32_t first;               /* its first point; that of bins a and b is first + a * bins[1] + b */
  const char *const *labels[2]; /* NULL: no axis */
  uint32_t bins[2];             /* 1: no axis */
} dut_cover_t;

/* A text of the RTL that may be the name of a file that it opens when it
 * runs ($readmemh), and the folder of the source that it stands in. */
typedef struct {
  const char *name, *folder;
  bool source; /* .sv, .v; else it is included */
} dut_image_t;

/* A file that the RTL reads, as Verilator has the call: of $readmemh
 * and $readmemb the memory; of $fopen the name alone (depth 0). */
typedef struct {
  const char *name;
  bool hex;
  uint32_t bits; /* of a word */
  /* words, the lowest address; the call's own addresses, else first and UINT64_MAX */
  uint64_t depth, first, start, end;
} dut_read_t;

struct stim;
struct rng_tape;

/* file NULL: no assertion but a crash, of which text
 * is the whole line: "accum_step: SIGSEGV, ...". */
typedef void (*dut_assert_t)(void *context, const char *file, unsigned line, const char *text);

typedef struct {
  dut_assert_t handler; /* must not return (longjmp); NULL: none */
  void *context;
} dut_leave_t;

/* What an object writes down around every call of its model and its stimulus, so that a crash in
 * one is known to be theirs, and a call that does not return is seen (guard.h). */
typedef struct {
  const char *volatile function;     /* "accum_step", "accum_stim.next"; NULL: neither runs */
  const dut_leave_t *volatile leave; /* the way out of it */
  volatile uint64_t calls;           /* made so far */
} dut_guard_t;

struct dut;

/* OTHER: a folder or a device, whose content is never known; it is to be opened by its name. */
typedef enum { DUT_FILE_NONE, DUT_FILE_READ, DUT_FILE_OTHER } dut_file_t;

/* Who finds and reads the files that an object opens for reading (images.c): all bytes, malloc'ed,
 * to be freed by the object. `note` says what was read elsewhere: a path and its SHA-256 in
 * hexadecimal, "-" for a file that is not there; "$NAME": the variable of the environment, without
 * a sum; path NULL: nobody knows what. */
typedef struct {
  dut_file_t (*read)(void *context, const struct dut *dut, const char *name, void **bytes, size_t *size);
  void (*note)(void *context, const char *path, const char *sum);
  void *context;
} dut_files_t;

typedef struct dut {
  uint32_t version; /* DUT_VERSION; look at nothing else when it differs */
  const char *block, *kind;
  const char *ports_file; /* where it was when the object was built; NULL: there is none */
  bool mealy;
  bool no_probes; /* the device has none (a netlist): what `out` structs say there is the model's alone */
  const dut_port_t *ports;
  unsigned num_ports;
  const dut_param_t *params;
  unsigned num_params;
  const dut_struct_t *structs;
  unsigned num_structs;
  uint32_t in_size, out_size, model_size;

  /* Golden model: state is model_size bytes, zero at power-up, then reset. */
  void (*model_reset)(void *model);
  void (*model_eval)(const void *model, const void *in, void *out);
  void (*model_step)(void *model, const void *in);
  bool (*model_idle)(const void *model); /* NULL: the model has none */
  /* of a crash too; the handler must not return (longjmp) */
  void (*on_model_assert)(dut_assert_t handler, void *context);

  /* NULL: the block has none; stim_default.h makes one from the ports */
  const struct stim *stim;
  void (*on_stim_crash)(dut_assert_t handler, void *context); /* the same for the stimulus; NULL: it has none */
  void (*set_guard)(dut_guard_t *guard);                      /* who looks after both; NULL: nobody can */
  struct rng_tape **tape;                                     /* answers the draws of `stim` while it is set (rng.h) */

  /* beside the source that names it is where a file of a relative name is looked for first */
  const dut_image_t *images;
  unsigned num_images;
  const dut_read_t *reads; /* those whose name is a constant */
  unsigned num_reads;
  void (*set_files)(const dut_files_t *files); /* it stays the caller's; NULL: files are opened as named */

  /* Zeroes the fields of an out struct whose valid bit is 0. */
  void (*canonical)(void *out);

  /* The device; all NULL in an object of kind model. */
  /* of $random and $urandom in devices created from now on (1
   * before the first call); NULL: the device has neither */
  void (*seed)(uint64_t seed);
  void *(*create)(void); /* powered up, not reset; NULL: failed, see failure(NULL) */
  void (*destroy)(void *dev);
  void (*reset)(void *dev);                      /* two clock cycles of reset with all inputs zero */
  void (*set_inputs)(void *dev, const void *in); /* fields whose valid bit is 0 keep their old value on the port */
  bool (*eval)(void *dev);
  bool (*matches)(void *dev, const void *out); /* out: canonical */
  void (*get_outputs)(void *dev, void *out);   /* canonical; without probes, their fields stay as they were */
  /* NULL: a two-state device. Ones where an output has X or Z; of fields whose valid bit is 1 */
  void (*get_undefined)(void *dev, void *out);
  bool (*step)(void *dev);
  const char *(*failure)(void *dev); /* text of the first assertion that failed since create or reset; NULL: none */

  /* Snapshots: valid for devices of this very object only. NULL: the device has none. */
  void *(*save)(void *dev); /* NULL: out of memory */
  void (*restore)(void *dev, const void *snapshot);
  void (*snapshot_free)(void *snapshot);

  /* NULL: the object was built without. */
  bool (*wave_open)(void *dev, const char *path);
  void (*wave_close)(void *dev);
  /* What the model shows in the coming cycle (canonical), in the
   * waveform beside the ports. NULL: it shows nothing, as in a reset. */
  void (*wave_model)(void *dev, const void *out);

  /* Kind rtl+wave, else 0 and NULL. */
  const dut_part_t *parts;
  unsigned num_parts;
  const dut_wire_t *wires;
  unsigned num_wires;

  /* Kind rtl+cov, else NULL. The tables are known once a device has been created; counts of lines
   * start with its creation, toggles with the end of its first reset. Restoring a snapshot keeps
   * both; snapshots are then of this very device only. */
  unsigned (*points)(const dut_point_t **points);
  const uint32_t *(*counters)(void *dev, uint32_t *count);
  unsigned (*signals)(const dut_signal_t **signals);
  void (*toggles)(void *dev, dut_toggles_t *toggles);

  /* Kind netlist+toggles, else NULL; with `signals`, known once a device has been created. What a
   * device has counted since it was created, or since the last call, into one dut_count_t for each
   * bit that there is (num_counts; NULL: into nothing). Cycles in reset and what changes by them
   * are not counted; the first sample after them is held against the last values in reset. Such
   * devices have no snapshots. */
  uint32_t (*num_counts)(void *dev);
  void (*take_counts)(void *dev, dut_count_t *counts, dut_counted_t *counted);

  /* Kind rtl+cov: functional points. cover counts the points that a
   * cycle hits; its state is cover_size bytes, zero after reset. */
  const dut_cover_t *covers;
  unsigned num_covers, num_cover_points;
  uint32_t cover_size;
  void (*cover)(void *state, const void *in, const void *out, uint32_t *counts);

  /* Kind rtl+faults, else 0 and NULL: what clock edges write, all of it as state_size bytes, and
   * one bit of it turned over. set and flip are legal after step or reset; what depends on them is
   * computed anew by eval. Kind rtl+wave: the ports of all parts ("i_rx.dn_valid_i"), settled after
   * eval; without set and flip. */
  const dut_state_t *states;
  unsigned num_states;
  size_t state_size;
  void (*state_get)(void *dev, void *bytes);
  void (*state_set)(void *dev, const void *bytes);
  void (*flip)(void *dev, unsigned state, uint32_t element, uint32_t bit);
} dut_t;

/* images.c, for the parts of an object */
void dut_set_files(const dut_files_t *files);
bool dut_read_file(const char *name, void **bytes, size_t *size);
void dut_note_file(const char *path, const char *sum);
extern const dut_image_t dut_images[];
extern const unsigned dut_num_images;
extern const dut_read_t dut_reads[];
extern const unsigned dut_num_reads;
extern dut_t lockstack_dut;

#endif
