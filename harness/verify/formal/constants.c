/* SPDX-License-Identifier: Apache-2.0
 *
 * A wrapper resets the block in the first cycle, and again in any later cycle that the solver
 * picks. Each bit of interest has two outputs, `rise` and `fall`. (Of `zero` both say that the
 * bit is 1.) Each stage settles what it can, and the next one sees only the rest:
 *
 *   stuck_top.sv, RTL --Yosys--> words.il      elaborated, wires keep names, no memories
 *                      --Yosys--> plain.il      bits connected to `seen`, words simplified
 *                                 free.aag      an output that is a constant here is stuck
 *                      --Yosys--> bits.aig      gates; a block that is too large for this ends here
 *                      --abc----> less.aig      scorr merges equal nodes: most stuck bits become 0
 *                      --abc----> pdr.log       pdr on each output that is left, BATCH bits a run
 */
#include "constants.h"
#include "abc.h"
#include "aiger_file.h"
#include "clock.h"
#include "clocking.h"
#include "file.h"
#include "port_names.h"
#include "port_params.h"
#include "process.h"
#include "proof.h"
#include "whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* BATCH: bits for one run of abc. The two limits are seconds: for one output, and for making
 * gates. */
enum { NONE = -1, BATCH = 16, PDR_SECONDS = 3, GATES_SECONDS = 300 };

/* ---- the wrapper */

/* The RTL's name of clock or reset, as Verilog has it. */
static void print_pin(const constants_t *c, const char *name, char pin[PORT_NAME]) {
  char in_rtl[PORT_NAME];
  snprintf(in_rtl, sizeof in_rtl, "%s", name);
  if (c->own) rtl_named_clock(c->own, name, in_rtl, sizeof in_rtl);
  port_name_verilog(in_rtl, pin);
}

/* `up` is 1 after the first cycle, and `more` one cycle later: by then `last` holds a value
 * after reset. BAD: parameters do not fit the port file, or it has no RESET. */
static answer_t write_wrapper(const constants_t *c, trouble_t *trouble) {
  char path[PROOF_PATH], params[PORT_PARAMS_TEXT], named[PORT_PARAMS_TEXT];
  char pin[PORT_NAME], block[PORT_NAME];
  clocking_t clocking;
  if (!port_params(c->source, c->ports, c->params, PORT_PARAMS_ALL, params, sizeof params, trouble)) return ANSWER_BAD;
  snprintf(named, sizeof named, "%s", params);
  if (c->own && !rtl_named_params(c->own, params, named, sizeof named))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: too many parameters", c->ports), ANSWER_BAD;
  snprintf(path, sizeof path, "%s/stuck_top.sv", c->work);
  clocking_of_file(c->ports, &clocking);
  FILE *file = file_folder(c->work) ? fopen(path, "w") : NULL;
  if (!file || !clocking.reset_line) {
    trouble_set(trouble, file ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, "%s: %s", file ? c->ports : path,
                file ? "no RESET to prove from" : strerror(errno));
    if (file) fclose(file);
    return file ? ANSWER_BAD : ANSWER_INFRA;
  }
  port_name_verilog(c->block, block);
  fprintf(
      file,
      "module stuck_top (input clk, input again, output [%u:0] rise, output [%u:0] fall);\n  reg up = 0, more = 0;\n"
      "  wire [%u:0] seen;\n  reg [%u:0] last = 0;\n"
      "  always @(posedge clk) begin up <= 1; more <= up; last <= seen; end\n"
      "  assign rise = more ? seen%s : 0;\n  assign fall = more ? %s : 0;\n  %s",
      c->count - 1, c->count - 1, c->count - 1, c->count - 1, c->zero ? "" : " & ~last",
      c->zero ? "seen" : "last & ~seen", block);
  yosys_print_settings(file, named);
  fprintf(file, " dut (");
  for (char *rest, *clock = strtok_r(clocking.clocks, " ", &rest); clock; clock = strtok_r(NULL, " ", &rest))
    print_pin(c, clock, pin), fprintf(file, "%s.%s(clk)", clock == clocking.clocks ? "" : ", ", pin);
  for (const clocking_reset_t *r = clocking.resets; r < clocking.resets + clocking.num_resets; r++)
    print_pin(c, r->name, pin), fprintf(file, ", .%s(%s(again | ~up))", pin, r->low ? "~" : "");
  fprintf(file, ");\nendmodule\n");
  if (fclose(file) == 0) return ANSWER_HOLDS;
  file_drop(path);
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno)), ANSWER_INFRA;
}

/* ---- elaboration, and the bits by name */

/* Ends a script that yosys_open began and runs it, for so many seconds. */
static answer_t close_and_run(const constants_t *c, FILE *file, const char *stem, double seconds, trouble_t *trouble) {
  const answer_t written = yosys_close(file, c->work, trouble);
  return written == ANSWER_HOLDS ? yosys_run_for(seconds, c->stop, c->context, c->work, stem, trouble) : written;
}

/* Cutting the tree's memories out (`delete t:*sram_*`) leaves their outputs undriven: these may be
 * anything. Outside of the tree such a name says nothing. `keep` on every wire saves the
 * names by which find_bits looks bits up. */
static answer_t elaborate_wrapper(const constants_t *c, trouble_t *trouble) {
  static const char *const instead[2] = {NULL};
  FILE *file = yosys_open(c->work, "elaborate", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "verilog_defaults -add -nosynthesis");
  yosys_print_tree(file, c->source, c->gen, c->own);
  fprintf(file, "\nread_verilog ");
  if (c->own) yosys_print_rtl(file, c->own, instead);
  else fprintf(file, "-sv %s", c->rtl);
  fprintf(file, "\nread_verilog -sv %s/stuck_top.sv\nhierarchy -check -top stuck_top", c->work);
  if (c->own) yosys_print_libraries(file, c->own);
  else fprintf(file, " -libdir %.*s", (int)(strrchr(c->rtl, '/') - c->rtl), c->rtl);
  if (!c->own) yosys_print_each(file, c->source, "rtl/*/", " -libdir ");
  fprintf(file, "%s", c->own ? "" : "\ndelete t:*sram_*");
  fprintf(file,
          "\nproc; chformal -remove; flatten; setattr -set keep 1 w:*; memory\n"
          "tee -q -o %s/wires.txt select -list w:*\nwrite_rtlil %s/words.il\n",
          c->work, c->work);
  yosys_writes(file, c->work, "wires.txt");
  yosys_writes(file, c->work, "words.il");
  return close_and_run(c, file, "elaborate", YOSYS_SECONDS, trouble);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Moves the bits with a wire of their name to the front, and returns their number. Bits whose
 * wire has another name in Yosys stay OPEN. */
static unsigned find_bits(constants_t *c) {
  char path[PROOF_PATH], name[2048], *rest, *key = name;
  unsigned count = 0, found = 0;
  snprintf(path, sizeof path, "%s/wires.txt", c->work);
  char *text = file_read(path), **wires = text ? malloc((strlen(text) / 2 + 1) * sizeof *wires) : NULL;
  for (char *line = wires ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
    wires[count++] = line;
  if (count) qsort(wires, count, sizeof *wires, by_text);
  for (unsigned i = 0; count && i < c->count; i++) {
    const stuck_bit_t bit = c->bits[i];
    snprintf(name, sizeof name, "stuck_top/dut.%s", bit.name);
    if (!bsearch(&key, wires, count, sizeof *wires, by_text)) continue;
    c->bits[i] = c->bits[found];
    c->bits[found++] = bit;
  }
  free(wires);
  free(text);
  return found;
}

/* Connects the found bits to `seen`. free.aag has no cells: each output is a constant or free. */
static answer_t connect_bits(const constants_t *c, unsigned found, trouble_t *trouble) {
  FILE *file = yosys_open(c->work, "connect", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "read_rtlil %s/words.il\ncd stuck_top\nconnect -set seen[%u:0] ", c->work, found - 1);
  for (unsigned i = found; i-- > 0;) fprintf(file, "dut.%s[%u]%s", c->bits[i].name, c->bits[i].bit, i ? "," : "\n");
  fprintf(file,
          "setattr -unset keep w:*\ncd\nsetundef -undriven -anyseq\nsetundef -anyseq\nzinit -all; opt\n"
          "write_rtlil %s/plain.il\ncd stuck_top\ndelete c:*\ndelete -output w:rise w:fall\nexpose w:seen\n"
          "write_aiger -ascii %s/free.aag\n",
          c->work, c->work);
  yosys_writes(file, c->work, "plain.il");
  yosys_writes(file, c->work, "free.aag");
  return close_and_run(c, file, "connect", YOSYS_SECONDS, trouble);
}

/* free.aag: "aag M I 0 O 0", a line for each input, a line for each output. Literal 0 or 1 is a
 * constant. */
static answer_t settle_constants(constants_t *c, unsigned found, trouble_t *trouble) {
  char path[PROOF_PATH], line[64];
  unsigned inputs = 0, outputs = 0;
  snprintf(path, sizeof path, "%s/free.aag", c->work);
  FILE *file = fopen(path, "r");
  bool ok = file && fscanf(file, "aag %*u %u 0 %u 0\n", &inputs, &outputs) == 2 && outputs == found;
  for (unsigned i = 0; ok && i < inputs; i++) ok = fgets(line, sizeof line, file);
  for (unsigned i = 0; ok && i < found; i++) {
    ok = fgets(line, sizeof line, file);
    if (ok && (strcmp(line, "0\n") == 0 || (!c->zero && strcmp(line, "1\n") == 0))) c->bits[i].state = BIT_STUCK;
  }
  if (file) fclose(file);
  if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "yosys: %s is not what was asked for", path);
  return ok ? ANSWER_HOLDS : ANSWER_INFRA;
}

/* UNKNOWN after GATES_SECONDS: the block is too large, and its open bits stay open. */
static answer_t make_gates(const constants_t *c, trouble_t *trouble) {
  FILE *file = yosys_open(c->work, "bits", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file,
          "read_rtlil %s/plain.il\nopt_clean; async2sync; dffunmap\n"
          "zinit -all; opt_clean; techmap; opt -fast; zinit -all; dfflegalize -cell $_DFF_P_ 01; setundef -zero; "
          "opt_clean\n"
          "aigmap; clean\nwrite_aiger -map %s/bits.map %s/bits.aig\n",
          c->work, c->work, c->work);
  yosys_writes(file, c->work, "bits.map");
  yosys_writes(file, c->work, "bits.aig");
  return close_and_run(c, file, "bits", GATES_SECONDS, trouble);
}

/* ---- answers */

typedef struct {
  constants_t *c;
  unsigned found;
  int *rise, *fall; /* the outputs of each bit */
  bool *constant;   /* of each output: 0 after scorr */
} answers_t;

/* A line of the map is "output 12 3 rise": the AIGER output, the bit, its name. Yosys leaves
 * constant outputs out of the map. Both outputs are 0 in the first cycle, so such an output is
 * 0. */
static bool read_map(answers_t *a) {
  char path[PROOF_PATH], *rest, name[8];
  unsigned output, bit;
  snprintf(path, sizeof path, "%s/bits.map", a->c->work);
  char *text = file_read(path);
  a->rise = calloc(a->c->count, sizeof *a->rise);
  a->fall = calloc(a->c->count, sizeof *a->fall);
  a->constant = calloc(2 * a->c->count, sizeof *a->constant);
  if (!text || !a->rise || !a->fall || !a->constant) return free(text), false;
  for (unsigned i = 0; i < a->c->count; i++) a->rise[i] = a->fall[i] = NONE;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (sscanf(line, "output %u %u %7s", &output, &bit, name) != 3 || bit >= a->c->count || output >= 2 * a->c->count)
      continue;
    if (strcmp(name, "rise") == 0) a->rise[bit] = (int)output;
    if (strcmp(name, "fall") == 0) a->fall[bit] = (int)output;
  }
  free(text);
  return true;
}

/* less.aig: "aig M I L O A", a line for each latch, a line for each output with its literal. 0:
 * never 1. */
static bool read_constants(answers_t *a) {
  char path[PROOF_PATH], line[64];
  unsigned latches, outputs;
  snprintf(path, sizeof path, "%s/less.aig", a->c->work);
  FILE *file = fopen(path, "r");
  bool ok = file && fscanf(file, "aig %*u %*u %u %u %*[^\n]\n", &latches, &outputs) == 2 && outputs == 2 * a->c->count;
  for (unsigned i = 0; ok && i < latches; i++) ok = fgets(line, sizeof line, file);
  for (unsigned i = 0; ok && i < outputs; i++) {
    ok = fgets(line, sizeof line, file);
    a->constant[i] = ok && strcmp(line, "0\n") == 0;
  }
  if (file) fclose(file);
  return ok;
}

/* Runs work/STEM.abc, whose last echo prints the word. *text is the log; the caller frees it. */
static answer_t run_abc(const constants_t *c, const char *stem, const char *word, double seconds, char **text,
                        trouble_t *trouble) {
  char script[PROOF_PATH], log[PROOF_PATH];
  snprintf(script, sizeof script, "%s/%s.abc", c->work, stem);
  snprintf(log, sizeof log, "%s/%s.log", c->work, stem);
  char *argv[] = {"yosys-abc", "-f", script, NULL};
  int status = process_run(argv, log, seconds, c->stop, c->context);
  *text = file_read(log);
  return status == 0 && abc_ended(*text, word) ? ANSWER_HOLDS
                                               : yosys_complain(status, "yosys-abc", log, *text, trouble);
}

/* The script work/STEM.abc for writing. NULL: trouble says why. */
static FILE *open_abc(const constants_t *c, const char *stem, trouble_t *trouble) {
  char script[PROOF_PATH];
  snprintf(script, sizeof script, "%s/%s.abc", c->work, stem);
  FILE *file = fopen(script, "w");
  if (!file) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", script, strerror(errno));
  return file;
}

/* abc's answer about output k of the batch: the log between "output k " and "output k+1 ". The
 * script echoes these marks, with a blank behind each. */
static answer_t pdr_answer(char *text, unsigned k) {
  char mark[32];
  snprintf(mark, sizeof mark, "output %u ", k);
  const char *at = strstr(text, mark);
  snprintf(mark, sizeof mark, "output %u ", k + 1);
  char *end = at ? strstr(at, mark) : NULL;
  if (!end) return ANSWER_UNKNOWN;
  const char first = *end;
  *end = 0;
  answer_t answer = ANSWER_UNKNOWN;
  if (abc_proved(at)) answer = ANSWER_HOLDS;
  else if (strstr(at, "was asserted in frame")) answer = ANSWER_REFUTED;
  *end = first;
  return answer;
}

/* Runs pdr on both outputs of n bits, n <= BATCH, and sets their states. */
static answer_t prove_batch(answers_t *a, unsigned *bits, unsigned n, trouble_t *trouble) {
  const constants_t *c = a->c;
  char *text = NULL, less[PROOF_PATH], word[ABC_WORD];
  FILE *file = open_abc(c, "pdr", trouble);
  if (!file) return ANSWER_INFRA;
  snprintf(less, sizeof less, "%s/less.aig", c->work);
  for (unsigned k = 0; k < 2 * n; k++)
    fprintf(file, "echo output %u\n&r %s\n&cone -O %d -R 1\n&scorr\n&put\npdr -T %d\n" ABC_TRIVIAL, k, less,
            k % 2 ? a->fall[bits[k / 2]] : a->rise[bits[k / 2]], PDR_SECONDS);
  fprintf(file, "echo output %u\necho %s\n", 2 * n, abc_word(less, word));
  answer_t answer = yosys_close(file, c->work, trouble);
  if (answer == ANSWER_HOLDS) answer = run_abc(c, "pdr", word, 8 * n * PDR_SECONDS, &text, trouble);
  for (unsigned i = 0; answer == ANSWER_HOLDS && i < n; i++) {
    const answer_t rise = pdr_answer(text, 2 * i), fall = pdr_answer(text, 2 * i + 1);
    bit_state_t *state = &c->bits[bits[i]].state;
    *state = BIT_OPEN;
    if (rise == ANSWER_HOLDS || fall == ANSWER_HOLDS) *state = BIT_STUCK;
    else if (rise == ANSWER_REFUTED && fall == ANSWER_REFUTED) *state = BIT_MOVES;
  }
  free(text);
  return answer;
}

/* True when the output is never 1: Yosys or scorr found it constant. */
static bool is_zero(const answers_t *a, int output) {
  return output == NONE || a->constant[output];
}

/* abc's scorr over all outputs; writes less.aig. A less.aig of an earlier run is removed first. */
static answer_t merge_equal(const constants_t *c, trouble_t *trouble) {
  char bits[PROOF_PATH], less[PROOF_PATH], log[PROOF_PATH], word[ABC_WORD], *text = NULL;
  snprintf(bits, sizeof bits, "%s/bits.aig", c->work);
  snprintf(less, sizeof less, "%s/less.aig", c->work);
  FILE *file = open_abc(c, "scorr", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "&r %s\n&scorr\n&w %s\necho %s\n", bits, less, abc_word(bits, word));
  answer_t answer = yosys_close(file, c->work, trouble);
  unlink(less);
  if (answer == ANSWER_HOLDS) answer = run_abc(c, "scorr", word, c->seconds, &text, trouble);
  free(text);
  if (answer != ANSWER_HOLDS || aiger_file_is_whole(less)) return answer;
  snprintf(log, sizeof log, "%s/scorr.log", c->work);
  return whole_unwritten("yosys-abc", less, log, trouble), ANSWER_INFRA;
}

/* Settles the gates' bits, BATCH at a time, until the time is over. Bits without an answer stay
 * OPEN. */
static answer_t answer_all(answers_t *a, trouble_t *trouble) {
  constants_t *c = a->c;
  const double end = clock_seconds() + c->seconds;
  answer_t answer = merge_equal(c, trouble);
  if (answer != ANSWER_HOLDS) return answer == ANSWER_UNKNOWN ? ANSWER_HOLDS : answer; /* no time: all stay open */
  if (!read_map(a) || !read_constants(a))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s/less.aig, bits.map: not what was asked for", c->work),
           ANSWER_INFRA;
  unsigned some[BATCH], n = 0;
  for (unsigned i = 0; i < a->found && answer == ANSWER_HOLDS && clock_seconds() < end; i++) {
    if (c->bits[i].state == BIT_STUCK || is_zero(a, a->rise[i]) || is_zero(a, a->fall[i])) c->bits[i].state = BIT_STUCK;
    else some[n++] = i;
    if (n < BATCH && i + 1 < a->found) continue;
    if (n) answer = prove_batch(a, some, n, trouble);
    if (answer == ANSWER_UNKNOWN) answer = ANSWER_HOLDS; /* no time: these stay open */
    n = 0;
  }
  return answer;
}

static bool has_unsettled_bit(const answers_t *a) {
  for (unsigned i = 0; i < a->found; i++)
    if (a->c->bits[i].state != BIT_STUCK) return true;
  return false;
}

answer_t constants_prove(constants_t *c, trouble_t *trouble) {
  clocking_t clocking;
  clocking_of_file(c->ports, &clocking);
  /* With registers of any value at power-up no bit is stuck: all stay open. */
  const bool any = *clocking.clock && clocking.reset_line && !clocking.num_resets && !clocking.initial;
  if (!c->count || any) return ANSWER_HOLDS;
  answer_t answer = write_wrapper(c, trouble);
  if (answer == ANSWER_HOLDS) answer = elaborate_wrapper(c, trouble);
  if (answer != ANSWER_HOLDS) return answer;
  answers_t a = {.c = c, .found = find_bits(c)};
  if (!a.found) return ANSWER_HOLDS;
  answer = connect_bits(c, a.found, trouble);
  if (answer == ANSWER_HOLDS) answer = settle_constants(c, a.found, trouble);
  if (answer != ANSWER_HOLDS || !has_unsettled_bit(&a)) return answer;
  answer = make_gates(c, trouble);
  if (answer == ANSWER_UNKNOWN) return ANSWER_HOLDS; /* too many gates: the others stay open */
  if (answer == ANSWER_HOLDS) answer = answer_all(&a, trouble);
  free(a.rise), free(a.fall), free(a.constant);
  return answer;
}
