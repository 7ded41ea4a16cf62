/* SPDX-License-Identifier: Apache-2.0
 *
 *   RTL --Yosys--> design.il, mutants.txt     elaborated; all possible faults
 *   design.il --Yosys--> buffered.il, mutants.txt    only where it has no cell: buffers at outputs
 *   cut_list:   mutants.txt --> the faults to use, some more than asked for
 *   cut_design: design.il  --> cut.il         open where these faults are
 *   X.env.sv   --> env.il, attached to cut.il
 *   cut.il --Yosys--> gates.blif --> netlist  faults that change no gate are dropped now
 */
#include "draw_mutants.h"
#include "cut.h"
#include "environment.h"
#include "file.h"
#include "port_params.h"
#include "proof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* Some listed faults change no gate. A quarter more than asked for, and this many, are taken. */
enum { LISTED_MORE = 64 };

/* Prints the commands that read the RTL and elaborate the top. In the tree, `params` has only
 * values that differ from the RTL's own. */
static void print_read(FILE *file, const draw_t *d, const char *params) {
  char plain[PLAIN_PATH];
  const block_t *b = d->block;
  const char *const instead[2] = {*b->instead ? b->instead : NULL, NULL};
  int folder = (int)(strrchr(b->rtl, '/') - b->rtl);
  /* FORMAL of a project of its own means statements for a proof of its own. SYNTHESIS is defined
   * for neither, as for the device that finds the mutants. */
  fprintf(file, "verilog_defaults -add %s", *b->folder ? "-nosynthesis" : "-formal");
  yosys_print_tree(file, d->source, d->gen, *b->folder ? &b->read : NULL);
  fprintf(file, "\nread_verilog ");
  if (*b->folder) yosys_print_rtl(file, d->read, instead);
  else fprintf(file, "-sv %s", b->rtl);
  fprintf(file, "\n");
  if (*b->folder) yosys_print_top(file, b->name, params);
  else yosys_print_params(file, params, b->name), fprintf(file, "hierarchy -check -top %s", b->name);
  if (*b->instead) fprintf(file, " -libdir %s", b->instead);
  if (*b->beside) fprintf(file, " -libdir %s", yosys_path(b->beside, plain));
  if (*b->folder) yosys_print_libraries(file, d->read);
  else fprintf(file, " -libdir %.*s -libdir %s/rtl/lib", folder, b->rtl, d->source);
  if (*b->folder) yosys_print_top_end(file, b->name);
  else fprintf(file, "\nrename -top %s\n", b->name);
}

/* Memories become ports. Undefined values become 0, as in the Verilated device. A memory is a
 * module of that name in the tree. Outside of the tree it is the one of rtl/lib, by its file:
 * what a user calls *sram_* is RTL as any other. */
static void print_elaborate(FILE *file, const draw_t *d) {
  char memories[PROOF_PATH] = "*sram_*";
  if (*d->block->folder) snprintf(memories, sizeof memories, "A:src=%s/rtl/lib/sram_1r1w.sv:*", d->source);
  fprintf(file,
          "blackbox %s\nflatten\ndelete t:$cover\nopt\nwreduce\npeepopt\nopt_clean\n"
          "memory -nomap\nopt\nexpose -evert t:%s\ndelete =%s\n"
          "setundef -undriven -zero\nsetundef -zero\nsetundef -init -zero\nopt_clean\n",
          memories, *d->block->folder ? "*sram_1r1w*" : memories, memories);
}

/* Every parameter with its value; in the tree, those that differ from the RTL's own. */
static answer_t find_params(const draw_t *d, char *params, trouble_t *trouble) {
  const block_t *b = d->block;
  char all[PORT_PARAMS_TEXT];
  const yosys_module_t module = {.work = d->work,
                                 .source = d->source,
                                 .gen = d->gen,
                                 .rtl = b->rtl,
                                 .module = b->name,
                                 .options = "-formal",
                                 .stop = d->stop,
                                 .context = d->context};
  if (!port_params(d->source, b->ports, b->params, PORT_PARAMS_ALL, all, sizeof all, trouble)) return ANSWER_BAD;
  if (!*b->folder) return yosys_other_params(&module, all, params, PORT_PARAMS_TEXT, trouble);
  return rtl_named_params(&b->read, all, params, PORT_PARAMS_TEXT) ? ANSWER_HOLDS : ANSWER_BAD;
}

/* Prints the command that lists all faults of the selected cells: asked for nearly all, Yosys 0.23
 * looks for the last ones for ever. */
static void print_list(FILE *file, const draw_t *d, const char *cells) {
  fprintf(file, "mutate -list 1000000000 -o %s/mutants.txt %s\n", d->work, cells);
  yosys_writes(file, d->work, "mutants.txt");
}

/* A design of wires alone, as an adapter of equal widths, has no cell whose ports could be wrong.
 * A buffer before each of its outputs has, and so have the multiplexers of a table, which is the
 * memory that Yosys makes of a large `case`. */
static answer_t buffer_and_list(const draw_t *d, trouble_t *trouble) {
  FILE *file = yosys_open(d->work, "buffers", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "read_rtlil %s/design.il\nmemory_map t:$mem* r:WR_PORTS=0 %%i\nopt_clean\n", d->work);
  fprintf(file, "insbuf -buf $_BUF_ A Y\nwrite_rtlil %s/buffered.il\n", d->work);
  yosys_writes(file, d->work, "buffered.il");
  fprintf(file, "delete -output o:probe_*\n");
  print_list(file, d, "t:* t:$mem* %d");
  const answer_t written = yosys_close(file, d->work, trouble);
  return written == ANSWER_HOLDS ? yosys_run(d->stop, d->context, d->work, "buffers", trouble) : written;
}

/* Reads and elaborates the RTL, and lists its faults. */
static answer_t elaborate_and_list(const draw_t *d, trouble_t *trouble) {
  char params[PORT_PARAMS_TEXT];
  const answer_t known = find_params(d, params, trouble);
  if (known != ANSWER_HOLDS) return known;
  FILE *file = yosys_open(d->work, "draw", trouble);
  if (!file) return ANSWER_INFRA;
  print_read(file, d, params);
  fprintf(file, "proc\n");
  yosys_print_checks(file, d->source, d->work);
  print_elaborate(file, d);
  fprintf(file, "write_rtlil %s/design.il\n", d->work);
  yosys_writes(file, d->work, "design.il");
  fprintf(file, "delete t:$assert t:$assume\ndelete -output o:probe_*\nopt_clean\n");
  print_list(file, d, "t:* t:$mem* %d");
  const answer_t written = yosys_close(file, d->work, trouble);
  return written == ANSWER_HOLDS ? yosys_run(d->stop, d->context, d->work, "draw", trouble) : written;
}

/* Turns the cut design, with its environment, into gates that netlist.c knows. */
static answer_t make_gates(const draw_t *d, trouble_t *trouble) {
  FILE *file = yosys_open(d->work, "gates", trouble);
  if (!file) return ANSWER_INFRA;
  if (d->environment)
    fprintf(file, "read_rtlil %s/env.il\nread_rtlil %s/cut.il\nhierarchy -top %s\nflatten\n", d->work, d->work,
            d->block->name);
  else fprintf(file, "read_rtlil %s/cut.il\n", d->work);
  fprintf(file,
          "memory_map\nasync2sync\nopt -fast\nsimplemap\ntechmap\ndfflegalize -cell $_DFF_P_ 0\nopt_clean\n"
          "write_blif -icells %s/gates.blif\n",
          d->work);
  yosys_writes(file, d->work, "gates.blif");
  const answer_t written = yosys_close(file, d->work, trouble);
  return written == ANSWER_HOLDS ? yosys_run(d->stop, d->context, d->work, "gates", trouble) : written;
}

/* --- which of those listed */

/* False: nothing depends on the point, or the fault leaves the bit as it is. */
static bool is_fault(const netlist_t *n, const fault_t *f) {
  lit_t before = n->gates.nodes[f->point].a;
  if (!f->point || (f->kind == FAULT_CONST0 && before == LIT_0) || (f->kind == FAULT_CONST1 && before == LIT_1))
    return false;
  return !(f->kind == FAULT_CNOT0 && f->control == LIT_1) && !(f->kind == FAULT_CNOT1 && f->control == LIT_0);
}

static int by_place(const void *a, const void *b) {
  const mutant_t *x = a, *y = b;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Reads the netlist, drops faults without effect, and keeps the first draw->count in the drawn
 * order. */
static answer_t read_gates(const draw_t *d, drawn_t *out, trouble_t *trouble) {
  char path[PROOF_PATH];
  unsigned kept = 0;
  snprintf(path, sizeof path, "%s/gates.blif", d->work);
  fault_t *faults = calloc(out->count + 1, sizeof *faults);
  for (unsigned i = 0; faults && i < out->count; i++) faults[i] = out->mutants[i].fault;
  bool ok = faults && netlist_read(&out->netlist, path, faults, out->count, trouble);
  for (unsigned i = 0; ok && i < out->count; i++) {
    out->mutants[i].fault = faults[i];
    if (is_fault(&out->netlist, &faults[i])) out->mutants[kept++] = out->mutants[i];
  }
  free(faults);
  if (!ok) return ANSWER_BAD;
  qsort(out->mutants, kept, sizeof *out->mutants, by_place);
  out->count = kept < d->count ? kept : (unsigned)d->count;
  return ANSWER_HOLDS;
}

/* Draws from the list of faults. */
static answer_t draw_from_list(const draw_t *d, drawn_t *out, trouble_t *trouble) {
  const unsigned wanted = (unsigned)(d->count + d->count / 4 + LISTED_MORE);
  char list[PROOF_PATH];
  snprintf(list, sizeof list, "%s/mutants.txt", d->work);
  free(out->mutants);
  out->mutants = cut_list(list, d->source, wanted, d->seed, &out->count, trouble);
  return out->mutants ? ANSWER_HOLDS : ANSWER_INFRA;
}

/* Draws faults of the RTL; *design is the file of what they are in. */
static answer_t elaborate_and_draw(const draw_t *d, char design[PROOF_PATH], drawn_t *out, trouble_t *trouble) {
  answer_t answer = elaborate_and_list(d, trouble);
  if (answer == ANSWER_HOLDS) answer = draw_from_list(d, out, trouble);
  const bool wires = answer == ANSWER_HOLDS && !out->count;
  if (wires) answer = buffer_and_list(d, trouble);
  if (wires && answer == ANSWER_HOLDS) answer = draw_from_list(d, out, trouble);
  snprintf(design, PROOF_PATH, "%s/%s", d->work, wires ? "buffered.il" : "design.il");
  return answer;
}

/* Adds X.env.sv to the cut design. */
static answer_t add_environment(const draw_t *d, const char *cut, drawn_t *out, trouble_t *trouble) {
  answer_t answer = environment_read(d, trouble);
  if (answer == ANSWER_HOLDS && !environment_attach(d, cut, trouble)) answer = ANSWER_BAD;
  if (answer == ANSWER_HOLDS) out->assumptions = environment_labels(d);
  return answer;
}

answer_t draw_mutants(const draw_t *d, drawn_t *out, trouble_t *trouble) {
  char design[PROOF_PATH], cut[PROOF_PATH];
  memset(out, 0, sizeof *out);
  *trouble = (trouble_t){0};
  if (!file_folder(d->work))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make this folder: %s", d->work, strerror(errno)),
           ANSWER_INFRA;
  snprintf(cut, sizeof cut, "%s/cut.il", d->work);
  answer_t answer = elaborate_and_draw(d, design, out, trouble);
  if (answer == ANSWER_HOLDS && !cut_design(design, cut, out->mutants, &out->count, trouble)) answer = ANSWER_INFRA;
  if (answer == ANSWER_HOLDS && d->environment) answer = add_environment(d, cut, out, trouble);
  if (answer == ANSWER_HOLDS) answer = make_gates(d, trouble);
  if (answer == ANSWER_HOLDS) answer = read_gates(d, out, trouble);
  if (answer == ANSWER_UNKNOWN) {
    trouble_set(trouble, TROUBLE_INPUT, "%s: elaboration takes more than %d s", d->block->name, YOSYS_SECONDS);
    answer = ANSWER_BAD;
  }
  return answer;
}

void draw_free(drawn_t *out) {
  netlist_free(&out->netlist);
  free(out->mutants);
  free(out->assumptions);
  out->mutants = NULL;
  out->assumptions = NULL;
}
