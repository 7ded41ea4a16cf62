/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of a loadable object: a device under test with its golden model and its stimulus. An
 * object is one block with one set of parameters as one kind of device (rtl, rtl+wave, netlist
 * ...). The object exports one symbol, `lockstack_dut` (a dut_t).
 *
 * One cycle of the device, Moore and Mealy alike:
 *
 *   set_inputs, eval      falling clock edge with the new inputs; the cycle's outputs settle
 *   matches, get_outputs  allowed now, any number of times
 *   step                  rising clock edge. With Verilated RTL, matches and get_outputs then
 *                         show the new state with this cycle's inputs
 *
 * eval and step return false when an RTL assertion failed; failure() is its text, and the device
 * stays usable. A text with the prefix DUT_ENVIRONMENT is no assertion: the device's process died
 * or could not start. DUT_INPUT: a file that the RTL reads is missing. DUT_INTERRUPTED: the user
 * ended the run. DUT_ENDED: the RTL's fault as an assertion is, but the device cannot go on: its
 * logic does not settle, or a $fatal has ended its process. dut_failure.h of the engine reads them.
 *
 * Only one thread at a time may use an object. An object can have several devices.
 */
#ifndef DUT_H
#define DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUT_VERSION 17
#define DUT_ENVIRONMENT "environment: "
#define DUT_INPUT "input: "
#define DUT_INTERRUPTED "interrupted: "
#define DUT_ENDED "ended: "

typedef enum { DUT_IN, DUT_OUT, DUT_PROBE } dut_dir_t;
typedef enum { DUT_SCALAR, DUT_VECTOR, DUT_STRUCT } dut_shape_t;

/* A field of X_in_t (DUT_IN) or X_out_t (the others), in port-file order. */
typedef struct {
  const char *name;
  /* 1-bit scalars of the same struct that qualify the field: "ok", "!empty", "valid & !err"
   * (dut_table.h: dut_terms); NULL: always valid. */
  const char *valid;
  const char *type;  /* DUT_STRUCT: "pkt_hdr" */
  uint32_t width;    /* bits */
  uint32_t offset;   /* bytes from the start of the struct */
  uint32_t size;     /* bytes: a multiple of 8 */
  uint8_t dir;       /* dut_dir_t */
  uint8_t shape;     /* dut_shape_t */
  bool error;        /* the block raises it on an error (ERROR in the port file) */
  uint32_t line;     /* of the port file; 0: unknown */
  const char *pin;   /* the RTL's name */
  uint64_t off;      /* Scalar output: bits that these parameters hold at 0 (OFF in the port file). */
  uint32_t off_line; /* line of the OFF entry; 0: none */
  /* A field of n elements (OUT_N): the ports whose bit k qualifies element k; `valid` is then NULL.
   * NULL: no elements. */
  const char *each;
  /* A field of a port whose type is a struct of the port file: the port's name, and the field's
   * lowest bit in it. NULL: a port of the RTL. `pin` is the port's, `width` the field's. */
  const char *of;
  uint32_t lsb;
  bool in_reset; /* an input that counts during a reset (RESET_IN in the port file) */
} dut_port_t;

/* The name of a value of a port or field that is an enum. */
typedef struct {
  const char *port, *label;
  uint64_t value;
} dut_label_t;

typedef struct {
  const char *name, *text;
  int64_t value, initial, least, most; /* the object's value, the default, the range */
  /* A text (PARAM_TEXT): its values with a blank between, and `value` is the number of one of them.
   * NULL: a number. */
  const char *values;
} dut_param_t;

/* A field of a struct port, most significant first. */
typedef struct {
  const char *name;
  uint32_t lsb, width; /* lowest bit of the field; width of one element */
  uint32_t elements;   /* 1, or more: element 0 is the lowest */
} dut_field_t;

typedef struct {
  const char *name; /* "pkt_hdr" */
  const dut_field_t *fields;
  unsigned num_fields;
  /* The name of a value, for reports; NULL: none. */
  const char *(*value_name)(const char *field, uint64_t value);
} dut_struct_t;

/* A register or memory of the RTL, named below the top: "i_queue.mem". */
typedef struct {
  const char *name;
  uint32_t width, elements; /* bits of an element; 1, or rows of a memory */
} dut_state_t;

/* Kind rtl+wave: an instance inside the RTL. name "i_rx.i_move", module "fifo_2w", the module's
 * file, params "Width=64,Depth=2". A part comes before the parts inside of it. */
typedef struct {
  const char *name, *module, *file, *params;
} dut_part_t;

/* An input port of a part, or an output of the RTL (part ""). `from` names its drivers below the
 * top, separated by blanks: outputs of parts, inputs of the RTL, registers. */
typedef struct {
  const char *part, *port, *from;
} dut_wire_t;

/* Kind rtl+cov: a line or branch of the RTL and its counter. Instances of one module have points of
 * their own or share them. */
typedef struct {
  const char *file;
  unsigned line, column;
  const char *name;  /* "block", "if", "else", "case" ... */
  const char *lines; /* lines that execute with the point, "30-33,35"; "": none */
  uint32_t counter;  /* index into counters() */
} dut_point_t;

/* Kinds rtl+cov and netlist+toggles: a signal, or one element of an array of signals. Bit k from
 * the right is NAME[right + k * step]. */
typedef struct {
  /* "TOP.lsu.i_coalesce.", "op". In a netlist, where names have dots, scopes end with blanks: "TOP
   * lsu i_coalesce ". */
  const char *scope, *name;
  int32_t element;     /* index in the array; -1: no array */
  bool ranged;         /* declared as a vector, if only [0:0] */
  int32_t right, step; /* [7:4]: 4, 1; [0:3]: 3, -1 */
  uint32_t width;
  /* rtl+cov: the first word in rises and falls. netlist+toggles: the counter of bit 0; those of
   * higher bits follow. */
  uint32_t first;
} dut_signal_t;

/* A bit for each bit of each signal that has risen or fallen since the end of the device's first
 * reset. */
typedef struct {
  const uint32_t *rises, *falls;
  uint32_t words;
} dut_toggles_t;

/* Kind netlist+toggles: counts of one net. A cycle has two samples: the settled inputs just before
 * the rising edge, and the settled state after it. Delays are zero, so a net changes at most once
 * between samples. Signals that are one wire share their counts. */
typedef struct {
  uint32_t rises, falls; /* between successive samples */
  uint64_t high;         /* samples in which the net was 1 */
  uint64_t edges;        /* samples with 1 that a rising edge followed */
} dut_count_t;

typedef struct {
  /* Counted cycles of two samples each, and cycles in reset, which are not counted. */
  uint64_t cycles, in_reset;
} dut_counted_t;

/* Functional points of a port file: one point, one for each bin of an axis, or one for each pair of
 * bins. */
typedef struct {
  const char *name, *text;
  unsigned line;                /* of the port file */
  uint32_t first;               /* index of the first point; bins a and b: first + a * bins[1] + b */
  const char *const *labels[2]; /* NULL: no axis */
  uint32_t bins[2];             /* 1: no axis */
} dut_cover_t;

/* A string of the RTL that may name a file opened at run time ($readmemh), and the folder of its
 * source. */
typedef struct {
  const char *name, *folder;
  bool source; /* the string is in a .sv or .v file, not in an included one */
} dut_image_t;

/* A call that reads a file, according to Verilator: $readmemh and $readmemb with their memory,
 * $fopen with the name alone (depth 0). */
typedef struct {
  const char *name;
  bool hex;
  uint32_t bits; /* width of a word */
  /* Words; the lowest address; the addresses of the call, or else `first` and UINT64_MAX. */
  uint64_t depth, first, start, end;
} dut_read_t;

struct stim;
struct rng_tape;

/* Handler of an assertion, or of a crash with file NULL. `text` of a crash is the whole line:
 * "accum_step: SIGSEGV, ...". */
typedef void (*dut_assert_t)(void *context, const char *file, unsigned line, const char *text);

typedef struct {
  dut_assert_t handler; /* must not return (longjmp); NULL: no handler */
  void *context;
} dut_leave_t;

/* An object records every call of its model and its stimulus here. guard.h uses the record to blame
 * a crash on the right code, and to notice a call that does not return. */
typedef struct {
  const char *volatile function;     /* "accum_step", "accum_stim.next"; NULL: neither is running. */
  const dut_leave_t *volatile leave; /* the way out of it */
  volatile uint64_t calls;           /* calls made so far */
  /* For a device in a process of its own: CPU seconds of a call, and whether the run is to end; 0
   * and NULL: unknown. */
  unsigned seconds;
  bool (*interrupted)(void);
} dut_guard_t;

extern dut_guard_t *dut_guard; /* variant.c, for a shim */

struct dut;

/* OTHER: a folder or a device. Its content cannot be known, and the object opens it by name. */
typedef enum { DUT_FILE_NONE, DUT_FILE_READ, DUT_FILE_OTHER } dut_file_t;

/* Finds and reads the files that an object opens for reading (images.c). `read` returns all bytes,
 * malloc'ed; the object frees them. `note` reports a file read elsewhere: its path and SHA-256 in
 * hexadecimal, "-" for a missing file. "$NAME" is an environment variable, without a sum. path
 * NULL: an unknown file. */
typedef struct {
  dut_file_t (*read)(void *context, const struct dut *dut, const char *name, void **bytes, size_t *size);
  void (*note)(void *context, const char *path, const char *sum);
  void *context;
} dut_files_t;

typedef struct dut {
  uint32_t version; /* DUT_VERSION; if it differs, read no other field */
  const char *block, *kind;
  const char *ports_file; /* its path at build time; NULL: none */
  bool mealy;
  /* The device has no probes (a netlist); probes in `out` structs come from the model alone. */
  bool no_probes;
  /* The block has no reset: each one is a power-up. */
  bool powers_up;
  uint32_t reset_cycles; /* cycles of a reset or behind a power-up; all inputs are zero */
  const dut_port_t *ports;
  unsigned num_ports;
  const dut_param_t *params;
  unsigned num_params;
  const dut_struct_t *structs;
  unsigned num_structs;
  const dut_label_t *labels;
  unsigned num_labels;
  uint32_t in_size, out_size, model_size; /* sizes in bytes of X_in_t, X_out_t and the model's struct */

  /* Golden model: state is model_size bytes, zero at power-up, then reset. */
  /* in: X_in_t, of which the inputs of RESET_IN entries count; NULL: all are 0. */
  void (*model_reset)(void *model, const void *in);
  void (*model_eval)(const void *model, const void *in, void *out);
  void (*model_step)(void *model, const void *in);
  const char *wrong;                     /* why port file and model do not fit; NULL: they do */
  bool (*model_idle)(const void *model); /* the state stays as it is without inputs; NULL: unknown */
  /* Sets the handler of failed assertions and crashes; the handler must not return (longjmp). */
  void (*on_model_assert)(dut_assert_t handler, void *context);

  /* NULL: the block has none, and stim_default.h makes one from the ports. */
  const struct stim *stim;
  /* The same for the stimulus; NULL: it has none. */
  void (*on_stim_crash)(dut_assert_t handler, void *context);
  void (*set_guard)(dut_guard_t *guard); /* where to record calls; NULL: not supported */
  struct rng_tape **tape;                /* answers the draws of `stim` while set (rng.h) */

  /* A file with a relative name is looked for beside its source first. */
  const dut_image_t *images;
  unsigned num_images;
  const dut_read_t *reads; /* calls with a constant name */
  unsigned num_reads;
  /* The caller keeps the struct. NULL: the object opens files by their names. */
  void (*set_files)(const dut_files_t *files);

  /* Zeroes the fields of an out struct whose valid bit is 0. */
  void (*canonical)(void *out);

  /* The device; in an object of kind model, all these are NULL. */
  /* Seeds $random and $urandom of devices created from now on (1 by default). NULL: the device uses
   * neither. */
  void (*seed)(uint64_t seed);
  /* What registers without a value and an x of the RTL begin with, in devices created from now on:
   * drawn from this seed; 0 (by default): all are 0. A block without a reset (powers_up) always
   * draws. Values that the RTL declares stay. NULL: the device begins in one way alone. */
  void (*power_up)(uint64_t seed);
  void *(*create)(void); /* Powered up, not reset. NULL: failed, see failure(NULL). */
  void (*destroy)(void *dev);
  void (*reset)(void *dev, const void *in); /* or a power-up; in as of model_reset */
  /* Fields whose valid bit is 0 keep their old value on the port. */
  void (*set_inputs)(void *dev, const void *in);
  bool (*eval)(void *dev);
  bool (*matches)(void *dev, const void *out); /* `out` is canonical */
  /* Canonical. Without probes, the fields of probes stay as they were. */
  void (*get_outputs)(void *dev, void *out);
  /* Sets a bit where a valid field has X or Z; NULL: a two-state device. */
  void (*get_undefined)(void *dev, void *out);
  bool (*step)(void *dev);
  /* The first assertion that failed since create or reset; NULL: none. */
  const char *(*failure)(void *dev);

  /* Snapshots fit devices of this very object only. NULL: not supported. */
  void *(*save)(void *dev); /* NULL: out of memory */
  void (*restore)(void *dev, const void *snapshot);
  void (*snapshot_free)(void *snapshot);

  /* Waveforms. NULL: the object was built without. */
  bool (*wave_open)(void *dev, const char *path);
  void (*wave_close)(void *dev);
  /* The model's outputs of the coming cycle (canonical), for scope `model` of the waveform. NULL:
   * none, as in a reset. */
  void (*wave_model)(void *dev, const void *out);

  /* Kind rtl+wave; else 0 and NULL. */
  const dut_part_t *parts;
  unsigned num_parts;
  const dut_wire_t *wires;
  unsigned num_wires;

  /* Kind rtl+cov; else NULL. The tables are known once a device exists. Lines count from its
   * creation, toggles from the end of its first reset. Restoring a snapshot keeps both counts; a
   * snapshot then fits this very device only. */
  unsigned (*points)(const dut_point_t **points);
  const uint32_t *(*counters)(void *dev, uint32_t *count);
  unsigned (*signals)(const dut_signal_t **signals);
  void (*toggles)(void *dev, dut_toggles_t *toggles);

  /* Kind netlist+toggles; else NULL. Known, like `signals`, once a device exists. take_counts moves
   * the counts since creation or the last call into num_counts structs, one a bit; `counts` may be
   * NULL. Resets and changes in them are not counted: the first sample behind a reset is compared
   * with the last values in reset. Such devices have no snapshots. */
  uint32_t (*num_counts)(void *dev);
  void (*take_counts)(void *dev, dut_count_t *counts, dut_counted_t *counted);

  /* Kind rtl+cov: functional points. `cover` counts the points that a cycle hits. `state` is
   * cover_size bytes, zero after reset. */
  const dut_cover_t *covers;
  unsigned num_covers, num_cover_points;
  uint32_t cover_size;
  void (*cover)(void *state, const void *in, const void *out, uint32_t *counts);

  /* Kinds rtl+faults and rtl+wave; else 0 and NULL. The state is everything that clock edges write,
   * state_size bytes. state_set and flip are legal after step or reset, and eval recomputes what
   * depends on them. Kind rtl+wave has the ports of all parts ("i_rx.dn_valid_i"), too, settled
   * after eval. */
  const dut_state_t *states;
  unsigned num_states;
  size_t state_size;
  void (*state_get)(void *dev, void *bytes);
  void (*state_set)(void *dev, const void *bytes);
  void (*flip)(void *dev, unsigned state, uint32_t element, uint32_t bit);
} dut_t;

/* images.c, for other parts of an object. */
void dut_set_files(const dut_files_t *files);
bool dut_read_file(const char *name, void **bytes, size_t *size);
void dut_note_file(const char *path, const char *sum);
extern const dut_image_t dut_images[];
extern const unsigned dut_num_images;
extern const dut_read_t dut_reads[];
extern const unsigned dut_num_reads;
extern dut_t lockstack_dut;

#endif
