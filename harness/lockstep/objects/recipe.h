/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds one loadable object step by step; this header has what all steps share. Only files of this
 * folder use it.
 *
 *   recipe_sources -> recipe_rtl -> recipe_check_model -+--------------> verilate --+
 *                         |                             |                   ^       |
 *                         +-> recipe_lint (kind lint)   +-> cells, netlist -+       v
 *                                                       +-> cxxrtl or icarus -> recipe_compile
 *
 * Each step runs its tools in the working folder on copies of the sources (snapshot.h), and records
 * which files the tools read. A list of sources holds absolute paths of the originals; recipe_copy
 * gives the name for a tool. Tools get each search folder twice, the copies' first. A file found
 * only in the original folder was not copied yet, and shows up among the files read.
 */
#ifndef RECIPE_H
#define RECIPE_H

#include "cells.h"
#include "clocking.h"
#include "object.h"
#include "snapshot.h"
#include "surroundings.h"
#include "words.h"

#include <sys/types.h>
#include <time.h>

enum { RECIPE_PATH = 4096 };

typedef struct {
  const object_request_t *ask;
  char work[RECIPE_PATH]; /* the working folder */
  snapshot_t snapshot;
  words_t kept; /* owns texts that live as long as the recipe */

  words_t values; /* each parameter of the port file: "Width=32" */
  /* The same with the RTL's types, "Width=6'h20". Empty for a block of the tree, whose types are
   * int. */
  words_t given;
  words_t packages; /* "gen/nsu_pkg.sv" */
  words_t lists;    /* folders of shared lists, rtl/X of the tree */
  words_t files;    /* RTL, in the order of reading */
  words_t folders;  /* folders searched for modules */
  words_t includes; /* folders searched for `include */
  words_t c_folders, c_sources;

  cells_t *cells;          /* kind netlist */
  words_t named;           /* cells that the RTL may instantiate by name */
  const char *cell_folder; /* folder searched for modules of `named` last; NULL: none */

  /* What the kinds leave for the compiler. */
  const char *device;       /* shim of a device that is not Verilated; NULL: Verilated, or no device */
  const char *device_flags; /* compiler flags of the shim */
  bool verilated, probes;   /* Verilator's class is the device; the device has probes */
  bool waves, covers, faults, gates, toggles;
  bool flat;      /* ports of the RTL are interfaces: no tool but Verilator reads them */
  bool has_types; /* the port file has structs or enums of its own: C reads as_read.h in its place */
  const char *verilator_root;
  const char *runtime;       /* Folder of Verilator's library, relative to the working folder. */
  words_t objects, compiled; /* build lines of Ninja, and the files that they make */
  words_t link;              /* further files for the linker */
  words_t compilers;         /* programs of the compiler */
  words_t sides;             /* files that become side files of the object */
  words_t keep;              /* files of the working folder that the object opens when it runs */

  words_t read;                       /* files read, as the tools name them */
  words_t rtl_read, c_read, cxx_read; /* of `read` the Verilog, C and C++ files */
  words_t ports_read;                 /* Verilog that Verilator read for another tool's device. */
  bool again;                         /* not the first attempt */
  words_t absent;                     /* files that would be read instead if they existed */
  /* A file that the last build noted as absent exists now, or the last build is unknown. */
  bool shadowed;
  words_t extra;     /* To be copied: an earlier attempt read these files outside of the copies. */
  content_t outside; /* checksums of files outside of the copies; the cache keeps them */
  bool outside_new;  /* `outside` has new entries */
  /* knows_reset: Yosys has found whether registers wait for an edge of a reset, through any
   * logic; async: some do, by reset. */
  bool knows_reset, async[CLOCKING_RESETS];
  const char *emitted; /* file of the working folder that Yosys reads instead of the RTL; NULL: the RTL */
  bool lacks_cell;     /* r->trouble is about a cell without a function, whatever the text is */
  char *said;          /* output of the last tool; owned */
  const char *last;    /* name of the last tool */

  trouble_t *trouble;
} recipe_t;

/* ---- recipe.c: what steps use */

const char *recipe_copy(recipe_t *r, const char *original); /* the name of a source for a tool: its copy */
/* The search order of folders: each copy, then its original. */
void recipe_folders(recipe_t *r, const words_t *folders, words_t *names);
/* A formatted text that lives as long as the recipe. */
const char *recipe_text(recipe_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `text` with each `from` replaced by `to`. */
const char *recipe_exchange(recipe_t *r, const char *text, const char *from, const char *to);
/* Copies a source, or all files of a folder with these endings. */
bool recipe_take(recipe_t *r, const char *original, snapshot_kind_t kind);
void recipe_take_folder(recipe_t *r, const char *folder, const char *const *endings, snapshot_kind_t kind);

/* Ends a step: sets r->trouble to INPUT with one line of a tool's output and advice.
 * Returns false. */
bool recipe_bad_text(recipe_t *r, const char *text);

/* Runs a tool in the working folder; r->said gets its output. False: the tool failed, and
 * r->trouble says so. */
bool recipe_run(recipe_t *r, const words_t *command);
/* The same with standard output alone in r->said, for output that is parsed. */
bool recipe_ask(recipe_t *r, const words_t *command);
/* The same for a tool that may take so many seconds of a processor; more is INPUT. */
bool recipe_run_within(recipe_t *r, unsigned cpu, const words_t *command);

/* True if the program is on the PATH. The first call makes its path and content part of
 * the object. */
bool recipe_tool(recipe_t *r, const char *name);

/* Writes a file of the working folder, unless it has this text already. */
bool recipe_write(recipe_t *r, const char *name, const char *text);
char *recipe_read(recipe_t *r, const char *name); /* the caller frees the text; NULL: r->trouble */

/* Locks a folder that several builds write in, and waits for another build that has it. The tools
 * inherit the lock: one that outlives this process still writes there. Close the descriptor when
 * done; -1: `trouble` says why. */
int recipe_lock(const char *folder, trouble_t *trouble);

/* Runs portgen's template `what` on the port file with these parameters (`pins`: and pin names),
 * into a file or as lines. */
bool recipe_ports(recipe_t *r, const char *what, bool pins, const char *file);
bool recipe_ports_lines(recipe_t *r, const char *what, bool pins, words_t *lines);

/* Adds the files of a dependency file of make (gcc, Yosys) to r->read and to `also`, the list of
 * their language. recipe_deps_lines reads a list with one file a line (Icarus). */
bool recipe_deps(recipe_t *r, const char *file, words_t *also);
bool recipe_deps_lines(recipe_t *r, const char *file, words_t *also);
void recipe_add_read(recipe_t *r, const char *name, words_t *also);

/* The original of a file as a tool named it; of another file the name in the working folder. */
const char *recipe_original(recipe_t *r, const char *name);

/* The checksum of a file outside of the copies, read once. False: errno. */
bool recipe_outside(recipe_t *r, const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp);
const char *recipe_version(recipe_t *r, const char *tool); /* "yosys 0.23" */

bool recipe_is(const recipe_t *r, const char *kind);
bool recipe_of_gates(const recipe_t *r); /* netlist, netlist+toggles or gates */
bool recipe_in_tree(const recipe_t *r);  /* the block is in the tree */

/* ---- the steps; each returns false after setting r->trouble */

bool recipe_sources(recipe_t *r);     /* recipe_c.c: headers from port files, C sources and their includes */
bool recipe_check_model(recipe_t *r); /* recipe_c.c */
bool recipe_rtl(recipe_t *r);         /* recipe_rtl.c: finds and copies the RTL */
bool recipe_vhdl(recipe_t *r);        /* recipe_vhdl.c: the same of a block in VHDL, as Verilog */
bool recipe_flat(recipe_t *r);        /* recipe_flat.c: makes vectors of ports that are interfaces */

/* recipe_cells.c. recipe_cells: opens the cells of kind netlist, before anything is read.
 * recipe_open_gates: clock gates with their clock passing, for checks of clocks. recipe_box_cells:
 * named cells without their functions. recipe_model_cells: functions of the netlist's cells that
 * cells.v lacks, into `file`. */
bool recipe_cells(recipe_t *r);
bool recipe_open_gates(recipe_t *r);
bool recipe_box_cells(recipe_t *r);
bool recipe_model_cells(recipe_t *r, const char *netlist, const char *file);
/* copies a file that the object is made of, and reads the copy */
bool recipe_take_read(recipe_t *r, const char *path);

/* recipe_verilator.c: appends the options that name the design to Verilator and Icarus. */
void recipe_design(recipe_t *r, words_t *command);
bool recipe_verilate(recipe_t *r);
/* For other devices: reads the ports alone and compares them with the port file. */
bool recipe_read_ports(recipe_t *r);
/* Kind lint: no device, but checks that all tools accept the RTL. */
bool recipe_lint(recipe_t *r);
bool recipe_only_ports(recipe_t *r); /* kind ports: what each kind checks of them */
/* recipe_members.c: renames ports in the Verilated class that C++ cannot have as members. */
bool recipe_members(recipe_t *r);

/* recipe_power_up.c: names what the C++ gives a value at power-up. */
bool recipe_power_up(recipe_t *r);

/* recipe_arrays.c: gives ports that are unpacked arrays a type that says how wide an element is.
 * recipe_has_arrays: does the RTL have such ports? Call it after recipe_read_ports. */
bool recipe_arrays(recipe_t *r);
bool recipe_has_arrays(recipe_t *r);
/* Compares the port file with Verilator's output. `with`: "--class" and its header. */
bool recipe_ports_match(recipe_t *r, const char *with, const char *file);
/* Iterates over the edges that the class' header waits for. Returns the text behind the next one;
 * NULL: no more. */
const char *recipe_next_waited(const char *text, const char **name, size_t *length);
/* True if the class' header `text` waits for an edge of the pin. */
bool recipe_waits_for(const char *text, const char *block, const char *pin);
/* recipe_warnings.c: Verilator's warning options. */
void recipe_warnings_on(words_t *command);
bool recipe_warnings(recipe_t *r); /* call after Verilator */
/* Checks that the reset is of the port file's kind. */
bool recipe_reset(recipe_t *r, const char *folder);

bool recipe_clocking(recipe_t *r, clocking_t *clocking); /* CLOCK and RESET of the port file */
typedef struct {
  clocking_t said;                 /* by the port file */
  char pins[CLOCKING_RESETS][256]; /* the RTL's names of said.resets */
} recipe_resets_t;
bool recipe_reset_pins(recipe_t *r, recipe_resets_t *resets);
/* The RTL's name of the port file's CLOCK; "": none. */
bool recipe_clock_pin(recipe_t *r, char pin[256]);

/* recipe_nets.c: multiple drivers of a bit, and combinational loops, end the build. `loop`,
 * `several`: Verilator's messages about them, or NULL. */
typedef struct {
  /* "": Yosys reads the RTL; else why not, and then drivers and loops are unknown. */
  const char *unknown;
  /* "": everything was judged; else the place of the part that was not, and why. */
  const char *unread;
  const char *undriven, *shared, *cases, *clock; /* as in drivers_t (drivers.h) */
  /* Places of registers, one a line, that sample an asynchronous reset only at the clock edge. */
  const char *resets;
  /* "PLACE NAME", one a line: latches that are open while the clock is high. */
  const char *opens;
  /* "PLACE NAME", one a line: registers that take the clock's level, or logic of it, as data. */
  const char *takes;
  bool comments; /* `cases` include synthesis comments */
} recipe_nets_t;
bool recipe_nets(recipe_t *r, const char *loop, const char *several, recipe_nets_t *nets);
bool recipe_runtime(recipe_t *r, const words_t *levels, const char *flags); /* recipe_runtime.c */

bool recipe_registers(recipe_t *r, words_t *command); /* recipe_insides.c: rtl+faults, rtl+wave */
bool recipe_parts(recipe_t *r, words_t *command);     /* rtl+wave */
bool recipe_states(recipe_t *r);
bool recipe_covers(recipe_t *r, words_t *command); /* recipe_cover.c: rtl+cov */
bool recipe_plain_counters(recipe_t *r);
bool recipe_toggles(recipe_t *r, words_t *command); /* netlist+toggles */

const char *recipe_yosys_reads(recipe_t *r); /* recipe_yosys.c: lines of a script that read the design */
/* Begins the first line: with the tree's include folders for a block of the tree. */
const char *recipe_yosys_tree(recipe_t *r);
const char *recipe_yosys_libraries(recipe_t *r);
const char *recipe_yosys_parameters(recipe_t *r); /* ".Width(32), .Depth(4)" */
/* The lines that elaborate the module with these parameters. */
const char *recipe_yosys_top(recipe_t *r, const char *module, const char *parameters);
bool recipe_yosys(recipe_t *r, const char *script, const char *deps, const char *made);
bool recipe_netlist(recipe_t *r); /* recipe_netlist.c */
/* recipe_emit.c: whether Yosys reads the RTL, or r->emitted. False: neither the RTL nor Verilog of
 * it can be read. */
bool recipe_emit(recipe_t *r);
/* Runs a step in which Yosys reads the RTL, and once more with r->emitted where it cannot. */
bool recipe_by_yosys(recipe_t *r, bool (*make)(recipe_t *r));
/* That text alone, a file of the working folder; NULL: r->trouble. */
const char *recipe_emit_text(recipe_t *r);
bool recipe_emitted(recipe_t *r);    /* kind emitted: Verilator gets the text */
bool recipe_emit_ports(recipe_t *r); /* Icarus gets the text of RTL whose ports are arrays or interfaces */
bool recipe_emit_note(recipe_t *r);  /* says so in the warnings */
bool recipe_cxxrtl(recipe_t *r);
bool recipe_icarus(recipe_t *r);

bool recipe_images(recipe_t *r); /* recipe_images.c: writes images.h and images.txt */
/* The C++ files that Verilator made; empty if Verilator could not read the RTL. */
void recipe_made(recipe_t *r, words_t *files);
void recipe_c_text(FILE *to, const char *text, size_t length); /* writes a C string constant */

/* recipe_absent.c: lists the absent files that would be read in place of those read.
 * recipe_absent_c does so for a compiler's files. recipe_same_files: the tool took the same files
 * for the same names as Verilator. */
void recipe_absent(recipe_t *r);
void recipe_absent_c(recipe_t *r, const words_t *read, bool cxx, words_t *absent);
bool recipe_same_files(recipe_t *r, const words_t *read, const char *tool);

const char *recipe_ccache(recipe_t *r); /* prefix of compiler commands */
bool recipe_compile(recipe_t *r);       /* recipe_compile.c: makes X.so in the working folder */

#endif
