/* SPDX-License-Identifier: Apache-2.0
 *
 * How one loadable object is built, step by step: what all steps share. Used by the files of this
 * folder alone.
 *
 * Each step runs its tools in the working folder, on copies of the sources (snapshot.h), and adds
 * what the tools say that they read. A name in a list of sources is the original's, absolute;
 * recipe_copy gives what a tool is told. Folders that are searched are told twice, the copies'
 * first: what is found in the original alone was not copied yet, and shows in what the tool read.
 */
#ifndef RECIPE_H
#define RECIPE_H

#include "cells.h"
#include "object.h"
#include "snapshot.h"
#include "surroundings.h"
#include "words.h"

#include <sys/types.h>
#include <time.h>

enum { RECIPE_PATH = 4096 };

typedef struct {
  const object_request_t *ask;
  char work[RECIPE_PATH];
  snapshot_t snapshot;
  words_t kept; /* texts that live as long as the recipe */

  words_t values; /* "Width=32": each parameter of the port file */
  /* the same as the types in the RTL have them, "Width=6'h20";
   * a block of the tree, whose types are int: none */
  words_t given;
  words_t packages; /* "gen/nsu_pkg.sv" */
  words_t lists;    /* folders of shared lists, rtl/X of the tree */
  words_t files;    /* RTL, in the order of reading */
  words_t folders;  /* that modules are looked for in */
  words_t includes; /* that `include is looked for in */
  words_t c_folders, c_sources;

  cells_t *cells;          /* of kind netlist */
  words_t named;           /* those of its cells that the RTL may have by name */
  const char *cell_folder; /* which modules of these are looked for in, behind all others; NULL: none */

  /* What the kinds leave for the compiler. */
  const char *device;       /* shim of a device that is not Verilated; NULL: it is, or there is none */
  const char *device_flags; /* for it */
  bool verilated, probes;   /* is Verilator's class the device? does it have probes? */
  bool waves, covers, faults, gates, toggles;
  const char *verilator_root;
  const char *runtime;       /* folder of Verilator's library, relative to the working folder */
  words_t objects, compiled; /* Ninja's build lines, and the files that come of them */
  words_t link;              /* files that are linked besides */
  words_t compilers;         /* the programs of the compiler */
  words_t sides;             /* files that go into the object's file */
  words_t keep;              /* files of the working folder that the object opens when it runs */

  words_t read;                       /* as the tools name them */
  words_t rtl_read, c_read, cxx_read; /* of these what is Verilog, C, C++ */
  words_t ports_read;                 /* Verilog that Verilator read for another tool's device */
  bool again;                         /* not the first try */
  words_t absent;                     /* would be read instead if they were there */
  /* one of those of the last build has come to be there, or the last build is not known */
  bool shadowed;
  words_t extra;     /* to be copied, too: an earlier try read them outside of the copies */
  content_t outside; /* checksums of files outside of the copies, as the cache keeps them */
  bool outside_new;
  bool knows_reset, async; /* Yosys knows: does any register wait for an edge of the reset, through whatever logic? */
  char *said;              /* what the last tool wrote */
  const char *last;        /* the last tool */

  double started;
  bool told; /* that it takes long */
  trouble_t *trouble;
} recipe_t;

/* ---- recipe.c: what steps use */

const char *recipe_copy(recipe_t *r, const char *original);
/* as they are searched: each copy, then the original */
void recipe_folders(recipe_t *r, const words_t *folders, words_t *names);
const char *recipe_text(recipe_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* each `from` becomes `to` */
const char *recipe_exchange(recipe_t *r, const char *text, const char *from, const char *to);
bool recipe_take(recipe_t *r, const char *original, snapshot_kind_t kind);
void recipe_take_folder(recipe_t *r, const char *folder, const char *const *endings, snapshot_kind_t kind);

/* Ends a step: r->trouble is INPUT, one line of a tool's text with what to do about it. False. */
bool recipe_bad_text(recipe_t *r, const char *text);

/* Runs a tool in the working folder, its output in
 * r->said; false: it failed, and that is the error. */
bool recipe_run(recipe_t *r, const words_t *command);
/* r->said is an answer: standard output alone. Anything may be on a tool's standard error */
bool recipe_ask(recipe_t *r, const words_t *command);
bool recipe_run_within(recipe_t *r, unsigned seconds, const words_t *command); /* late: INPUT */

/* Is the program on the PATH? The first time its path and content become part of the object. */
bool recipe_tool(recipe_t *r, const char *name);

/* A file of the working folder, written when its text is another. */
bool recipe_write(recipe_t *r, const char *name, const char *text);
char *recipe_read(recipe_t *r, const char *name); /* to be freed; NULL: r->trouble */

/* What portgen makes of the port file with these parameters
 * (and names of pins): into a file, or as lines. */
bool recipe_ports(recipe_t *r, const char *what, bool pins, const char *file);
bool recipe_ports_lines(recipe_t *r, const char *what, bool pins, words_t *lines);

/* Adds what a dependency file of make names (gcc, Yosys), or a list
 * with a file a line (Icarus); also to the list of its language. */
bool recipe_deps(recipe_t *r, const char *file, words_t *also);
bool recipe_deps_lines(recipe_t *r, const char *file, words_t *also);
void recipe_add_read(recipe_t *r, const char *name, words_t *also);

/* The original of a file as a tool named it, else what it is called in the working folder. */
const char *recipe_original(recipe_t *r, const char *name);

/* The checksum of a file outside of the copies, read once; false: errno. */
bool recipe_outside(recipe_t *r, const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp);
const char *recipe_version(recipe_t *r, const char *tool); /* "yosys 0.23" */

bool recipe_is(const recipe_t *r, const char *kind);
bool recipe_of_gates(const recipe_t *r); /* netlist, netlist+toggles, gates */
bool recipe_in_tree(const recipe_t *r);

/* ---- the steps: false after a trouble */

bool recipe_sources(recipe_t *r); /* recipe_c.c: headers made of port files, C sources and all that they include */
bool recipe_check_model(recipe_t *r);
bool recipe_rtl(recipe_t *r); /* recipe_rtl.c: where the RTL is, copies of it */

/* recipe_cells.c: of kind netlist, before anything is read; for who judges clocks; without what
 * they do; what the netlist's cells do that are none of cells.v, into `file`. */
bool recipe_cells(recipe_t *r);
bool recipe_open_gates(recipe_t *r);
bool recipe_box_cells(recipe_t *r);
bool recipe_model_cells(recipe_t *r, const char *netlist, const char *file);
bool recipe_take_read(recipe_t *r, const char *path); /* a copy of it, which the object is made of */

/* recipe_verilator.c: command lines that begin as
 * this one name the design to Verilator and Icarus */
void recipe_design(recipe_t *r, words_t *command);
bool recipe_verilate(recipe_t *r);
/* of other devices: the ports alone, held against the port file */
bool recipe_read_ports(recipe_t *r);
/* kind lint: no device, but the RTL is one that all would take */
bool recipe_lint(recipe_t *r);
/* the port file against what Verilator made: "--class", its header */
bool recipe_ports_match(recipe_t *r, const char *with, const char *file);
/* the next of what is waited for; behind it, NULL: none */
const char *recipe_next_waited(const char *text, const char **name, size_t *length);
/* the class's header: is an edge of the pin waited for? */
bool recipe_waits_for(const char *text, const char *block, const char *pin);
/* recipe_warnings.c: Verilator's options */
void recipe_warnings_on(words_t *command);
bool recipe_warnings(recipe_t *r); /* after it */
/* is it of the port file's kind? */
bool recipe_reset(recipe_t *r, const char *folder);

typedef struct {
  /* "rst_n", "low", "async"; the pin is what the RTL calls it; "": the port file has none */
  char name[256], level[16], kind[16], pin[256];
  unsigned line;
} recipe_reset_t;
bool recipe_reset_pin(recipe_t *r, recipe_reset_t *reset); /* RESET of the port file */
/* what the RTL calls its CLOCK; "": the port file has none */
bool recipe_clock_pin(recipe_t *r, char pin[256]);

/* recipe_nets.c: several drivers of a bit and logic that feeds itself end
 * the build. `loop`, `several`: what Verilator says of them, or NULL. */
typedef struct {
  /* "": Yosys reads the RTL; else why it does not, so that the two are not known */
  const char *unknown;
  /* "": what is judged is all of it; else the place of what is not, and why */
  const char *unread;
  const char *undriven, *shared, *cases, *clock; /* as drivers.h has them */
  /* places of registers, a line each, that look at an
   * asynchronous reset at the clock's edge alone */
  const char *resets;
  /* "PLACE NAME", a line each: latches that are open while the clock is high */
  const char *opens;
  /* "PLACE NAME", a line each: registers that take the clock's level, or what logic makes of it */
  const char *takes;
  bool comments; /* of synthesis are among the cases */
} recipe_nets_t;
bool recipe_nets(recipe_t *r, const char *loop, const char *several, recipe_nets_t *nets);
bool recipe_runtime(recipe_t *r, const words_t *levels, const char *flags); /* recipe_runtime.c */

bool recipe_registers(recipe_t *r, words_t *command); /* recipe_insides.c: rtl+faults */
bool recipe_parts(recipe_t *r, words_t *command);     /* rtl+wave */
bool recipe_states(recipe_t *r);
bool recipe_covers(recipe_t *r, words_t *command); /* recipe_cover.c: rtl+cov */
bool recipe_plain_counters(recipe_t *r);
bool recipe_toggles(recipe_t *r, words_t *command); /* netlist+toggles */

const char *recipe_yosys_reads(recipe_t *r); /* recipe_yosys.c: the lines of a script that read the design */
const char *recipe_yosys_libraries(recipe_t *r);
const char *recipe_yosys_parameters(recipe_t *r); /* ".Width(32), .Depth(4)" */
/* the lines that elaborate the module with them */
const char *recipe_yosys_top(recipe_t *r, const char *module, const char *parameters);
bool recipe_yosys(recipe_t *r, const char *script, const char *deps, const char *made);
bool recipe_netlist(recipe_t *r); /* recipe_netlist.c */
bool recipe_cxxrtl(recipe_t *r);
bool recipe_icarus(recipe_t *r);

bool recipe_images(recipe_t *r); /* recipe_images.c: images.h, images.txt */
/* C++ that Verilator made of the RTL; none: it could not read it */
void recipe_made(recipe_t *r, words_t *files);
void recipe_c_text(FILE *to, const char *text, size_t length); /* as a constant of C, in quotes */

/* recipe_absent.c: what would be read instead, of all that was read; of what a compiler read. Did
 * the tool take the files that Verilator took for the same names? */
void recipe_absent(recipe_t *r);
void recipe_absent_c(recipe_t *r, const words_t *read, bool cxx, words_t *absent);
bool recipe_same_files(recipe_t *r, const words_t *read, const char *tool);

const char *recipe_ccache(recipe_t *r); /* what goes before a compiler */
bool recipe_compile(recipe_t *r);       /* recipe_compile.c: X.so in the working folder */

#endif
