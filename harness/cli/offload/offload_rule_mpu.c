/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of `lockstack offload --rule mpu`: for each kernel locations, physical registers and
 * shares of locations, then means over all kernels.
 *
 *   do_file: PTX --> do_kernel: mpu_compile --> report_mpu_kernel: refused? --> text, JSON
 */
#include "offload_rule_mpu.h"

#include "mpu_kernel.h"
#include "offload_kernels.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR, FAR, BOTH, NUM_SHARES };

/* The shares of registers that the MPU paper gives in section VI-D (Fig. 14), in per cent, mean of
 * its twelve workloads: published figures mpu-12, mpu-13, mpu-14. */
static const double paper_shares[NUM_SHARES] = {32.5, 63.7, 3.8};
static const char *const share_names[NUM_SHARES] = {"near", "far", "both"};
static const mpu_loc_t share_locs[NUM_SHARES] = {MPU_N, MPU_F, MPU_B};

/* A compiled kernel, and for each instruction why the machine does not execute it: a text, or
 * NULL. */
typedef struct {
  cli_t *cli;
  const offload_rule_mpu_t *options;
  json_t *kernels, *refused;
  unsigned shown, done, with_registers, failed_files;
  double sum_annotated[NUM_SHARES], sum_regs[NUM_SHARES], sum_near_rows, sum_far_rows;
} report_t;

/* A kernel as the compiler has it, and why the machine does
 * not execute an instruction of it: a text, or NULL. */
typedef struct {
  const char *file;
  mpu_program_t *program;
  char **why;
  unsigned refused;
} kernel_t;

/* Per cent of near, far and both, from counts by mpu_loc_t. All 0 if there is nothing to count. */
static void shares_of(const uint32_t count[4], double per_cent[NUM_SHARES]) {
  double all = (double)count[MPU_N] + count[MPU_F] + count[MPU_B];
  for (unsigned i = 0; i < NUM_SHARES; i++) per_cent[i] = all > 0 ? 100 * count[share_locs[i]] / all : 0;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* The source line of an instruction; 0: there is no such instruction. */
static int line_at(const ptx_func_t *f, int32_t instr) {
  return (uint32_t)instr < f->num_instrs ? f->instrs[instr].line : 0;
}

/* An instruction, where it runs, and where threads of a branch meet again. */
static void print_instr(FILE *out, const kernel_t *k, uint32_t i) {
  static const char *const places[] = {"-", "N", "F", "N/F"};
  const mpu_program_t *p = k->program;
  const ptx_instr_t *in = &p->func->instrs[i];
  bool branch = in->op == PTX_OP_bra || in->op == PTX_OP_brx;
  fprintf(out, "  %6d  %s%-*s %s", in->line, places[p->instrs[i].place], (int)(5 - strlen(places[p->instrs[i].place])),
          p->instrs[i].far_op ? "*" : "", in->source);
  if (branch && line_at(p->func, in->reconv)) fprintf(out, "   threads meet at line %d", line_at(p->func, in->reconv));
  else if (branch) fprintf(out, "   threads do not meet");
  if (k->why[i]) fprintf(out, "   NOT EXECUTED: %s", k->why[i]);
  fputc('\n', out);
}

/* A register: its location, in parentheses Algorithm 1's if that differs, and its physical rows. */
static void print_register(FILE *out, const ptx_reg_t *reg, const mpu_reg_t *at) {
  fprintf(out, "  %-16s %-5s", reg->name, at->loc == MPU_U ? "-" : mpu_loc_name(at->loc));
  if (at->annotated != at->loc) fprintf(out, " (%s)", mpu_loc_name(at->annotated));
  else fputs("    ", out);
  if (reg->type == PTX_PRED && at->row >= 0) fprintf(out, "  predicate %d", at->row);
  else if (at->rows == 2 && at->row >= 0) fprintf(out, "  %d, %d", at->row, at->row + 1);
  else if (at->row >= 0) fprintf(out, "  %d", at->row);
  fputc('\n', out);
}

static void print_shares(FILE *out, const char *name, const double per_cent[NUM_SHARES], const char *note) {
  fprintf(out, "  %-24s %6.1f %6.1f %6.1f%s\n", name, per_cent[NEAR], per_cent[FAR], per_cent[BOTH], note);
}

/* The shares of a kernel beside the paper's, and the rows that a thread needs. */
static void print_summary(FILE *out, const mpu_program_t *p) {
  double annotated[NUM_SHARES], regs[NUM_SHARES], instrs[NUM_SHARES];
  uint32_t calls = 0;
  for (uint32_t i = 0; i < p->func->num_instrs; i++) calls += p->func->instrs[i].op == PTX_OP_call;
  shares_of(p->shares.annotated, annotated);
  shares_of(p->shares.regs, regs);
  shares_of(p->shares.instrs, instrs);
  fprintf(out, "  %-24s %6s %6s %6s\n", "shares, %", "near", "far", "both");
  if (p->policy == MPU_ANNOTATED) print_shares(out, "registers, Algorithm 1", annotated, "");
  print_shares(out, "registers, with copies", regs, "");
  print_shares(out, "registers, paper", paper_shares, "   mean of twelve workloads, Algorithm 1 (mpu-12 to mpu-14)");
  print_shares(out, "instructions", instrs, "");
  fprintf(out, "  rows a thread: near %u, far %u (near only %u, both %u, far only %u), predicates %u\n", p->near_rows,
          p->far_rows, p->near_only, p->both, p->far_only, p->predicates);
  if (calls) fprintf(out, "  %u call%s: rows are this kernel's alone\n", calls, calls == 1 ? "" : "s");
}

/* A kernel's instructions and registers with the places that the policy chose, then their
 * shares. */
static void print_kernel(FILE *out, const kernel_t *k) {
  const mpu_program_t *p = k->program;
  fprintf(out, "kernel %s (%s): policy %s\n\n    line  runs  instruction (*: far-bank operation set)\n", p->func->name,
          k->file, mpu_policy_name(p->policy));
  for (uint32_t i = 0; i < p->func->num_instrs; i++) print_instr(out, k, i);
  fprintf(out, "\n  %-16s %-5s      rows\n", "register", "at");
  for (uint32_t r = 0; r < p->func->num_regs; r++) print_register(out, &p->func->regs[r], &p->regs[r]);
  fputc('\n', out);
  print_summary(out, p);
  if (k->refused)
    fprintf(out, "  %u instruction%s not executed: a launch of it is refused\n", k->refused,
            k->refused == 1 ? " is" : "s are");
  fputc('\n', out);
}

/* ---- For programs ---------------------------------------------------------------------------- */

/* null: the register or instruction has no location. */
static json_t *json_loc(mpu_loc_t loc) {
  return loc == MPU_U ? json_null() : json_string(mpu_loc_name(loc));
}

/* Shares in per cent, under the names near, far and both. */
static json_t *json_shares(const double per_cent[NUM_SHARES]) {
  json_t *object = json_object();
  for (unsigned i = 0; i < NUM_SHARES; i++) json_object_set_new(object, share_names[i], json_real(per_cent[i]));
  return object;
}

static json_t *json_counts(const uint32_t count[4]) {
  double per_cent[NUM_SHARES];
  shares_of(count, per_cent);
  return json_shares(per_cent);
}

/* `not_executed` says why a launch is refused; null: it is executed. `reconvergence` is there for
 * branches alone: the instruction where the paths meet, null: they do not meet. */
static json_t *json_instrs(const kernel_t *k) {
  const mpu_program_t *p = k->program;
  json_t *array = json_array();
  for (uint32_t i = 0; i < p->func->num_instrs; i++) {
    const ptx_instr_t *in = &p->func->instrs[i];
    json_t *row = json_pack("{s:i, s:i, s:s, s:o, s:o, s:b}", "instruction", (int)i, "line", in->line, "text",
                            in->source, "hint", json_loc(p->instrs[i].hint), "place", json_loc(p->instrs[i].place),
                            "far_op", (int)p->instrs[i].far_op);
    json_object_set_new(row, "not_executed", k->why[i] ? json_string(k->why[i]) : json_null());
    if (in->op == PTX_OP_bra || in->op == PTX_OP_brx)
      json_object_set_new(row, "reconvergence",
                          (uint32_t)in->reconv < p->func->num_instrs ? json_integer(in->reconv) : json_null());
    json_array_append_new(array, row);
  }
  return array;
}

/* `row` is the first of `rows` rows of the register file; null: the register has none. */
static json_t *json_regs(const mpu_program_t *p) {
  json_t *array = json_array();
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    const mpu_reg_t *at = &p->regs[r];
    json_array_append_new(array, json_pack("{s:s, s:s, s:o, s:o, s:o, s:i}", "name", p->func->regs[r].name, "type",
                                           ptx_type_name(p->func->regs[r].type), "location", json_loc(at->loc),
                                           "annotated", json_loc(at->annotated), "row",
                                           at->row < 0 ? json_null() : json_integer(at->row), "rows", (int)at->rows));
  }
  return array;
}

/* Rows of the near and far register files, and the three ways to count shares. */
static json_t *json_kernel(const kernel_t *k) {
  const mpu_program_t *p = k->program;
  json_t *rows = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "near", (int)p->near_rows, "far", (int)p->far_rows,
                           "near_only", (int)p->near_only, "both", (int)p->both, "far_only", (int)p->far_only,
                           "predicates", (int)p->predicates);
  json_t *shares = json_pack("{s:o, s:o, s:o}", "annotated", json_counts(p->shares.annotated), "registers",
                             json_counts(p->shares.regs), "instructions", json_counts(p->shares.instrs));
  return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "file", k->file, "name", p->func->name, "executes",
                   !k->refused, "instructions", json_instrs(k), "registers", json_regs(p), "rows", rows, "shares",
                   shares);
}

/* ---- All kernels ----------------------------------------------------------------------------- */

/* Adds a kernel to the sums. Kernels without registers have no shares. */
static void add_up(report_t *r, const mpu_program_t *p) {
  double annotated[NUM_SHARES], regs[NUM_SHARES];
  r->done++;
  r->sum_near_rows += p->near_rows;
  r->sum_far_rows += p->far_rows;
  if (p->shares.regs[MPU_N] + p->shares.regs[MPU_F] + p->shares.regs[MPU_B] == 0) return;
  shares_of(p->shares.annotated, annotated);
  shares_of(p->shares.regs, regs);
  r->with_registers++;
  for (unsigned i = 0; i < NUM_SHARES; i++) {
    r->sum_annotated[i] += annotated[i];
    r->sum_regs[i] += regs[i];
  }
}

/* Called for each instruction that a launch would refuse; keeps the first reason of each. */
static void note_refusal(void *ctx, uint32_t instr, const char *why) {
  kernel_t *k = ctx;
  if (k->why[instr]) return;
  k->why[instr] = strdup(why);
  k->refused++;
}

/* Reports a kernel that is no program of the machine as a whole. */
static void add_refused(report_t *r, const char *file, const ptx_func_t *func, unsigned line, const char *text) {
  fprintf(r->cli->out, "%s: %s\n\n", file, text);
  json_array_append_new(r->refused, json_pack("{s:s, s:s, s:i, s:s}", "file", file, "kernel", func->name, "line",
                                              (int)line, "text", text));
}

/* Reports a compiled kernel. The verdict is that of a launch: the machine's own functions say which
 * instructions they do not execute. 0, or EXIT_ENV after a line. */
static int report_mpu_kernel(report_t *r, kernel_t *k, const ptx_module_t *module) {
  const mpu_program_t *p = k->program;
  trouble_t err = {0};
  const simt_refusals_t refusals = {note_refusal, k};
  if (!mpu_kernel_look(module, k->program, &refusals, &err)) {
    print_kernel(r->cli->out, k);
    if (r->cli->json) json_array_append_new(r->kernels, json_kernel(k));
    add_up(r, p);
    return EXIT_HELD;
  }
  if (err.kind != TROUBLE_INPUT) return cli_error(EXIT_ENV, "%s: %s", k->file, err.text);
  add_refused(r, k->file, p->func, (unsigned)p->func->line, err.text);
  return EXIT_HELD;
}

/* Compiles and reports one kernel (offload_each_t). */
static int do_kernel(void *context, const char *file, const ptx_module_t *module, const ptx_func_t *func) {
  report_t *r = context;
  mpu_compile_error_t err;
  mpu_program_t *p = mpu_compile(func, r->options->policy, &err);
  kernel_t k = {.file = file, .program = p, .why = calloc(func->num_instrs + 1, sizeof *k.why)};
  int code = EXIT_HELD;
  r->shown++;
  if (!k.why) code = cli_error(EXIT_ENV, "out of memory");
  else if (p) code = report_mpu_kernel(r, &k, module);
  else if (err.trouble.kind != TROUBLE_INPUT) code = cli_error(EXIT_ENV, "%s: %s", file, err.trouble.text);
  else add_refused(r, file, func, (unsigned)err.line, err.trouble.text);
  for (uint32_t i = 0; k.why && i < func->num_instrs; i++) free(k.why[i]);
  free(k.why);
  mpu_program_free(p);
  return code;
}

/* One file; bad PTX is also recorded as refused. */
static int do_file(report_t *r, const char *file) {
  ptx_error_t err;
  ptx_module_t *m = ptx_read(file, &err);
  if (!m) {
    json_array_append_new(r->refused, json_pack("{s:s, s:n, s:i, s:s}", "file", file, "kernel", "line", err.line,
                                                "text", err.trouble.text));
    return cli_trouble(&err.trouble);
  }
  const int code = offload_kernels(r->cli->out, file, m, r->options->kernel, do_kernel, r);
  ptx_free(m);
  return code;
}

/* 0 where there is nothing to take the mean of. */
static void mean_of(const double sum[NUM_SHARES], unsigned count, double mean[NUM_SHARES]) {
  for (unsigned i = 0; i < NUM_SHARES; i++) mean[i] = count ? sum[i] / count : 0;
}

/* The means, printed if there is more than one kernel, and as JSON. */
static json_t *report_mean_shares(const report_t *r) {
  double annotated[NUM_SHARES], regs[NUM_SHARES];
  double near_rows = r->done ? r->sum_near_rows / r->done : 0, far_rows = r->done ? r->sum_far_rows / r->done : 0;
  FILE *out = r->cli->out;
  mean_of(r->sum_annotated, r->with_registers, annotated);
  mean_of(r->sum_regs, r->with_registers, regs);
  if (r->shown > 1) {
    fprintf(out, "mean of %u kernels%s\n  %-24s %6s %6s %6s\n", r->done,
            r->shown > r->done ? " (the others could not be done)" : "", "shares, %", "near", "far", "both");
    if (r->options->policy == MPU_ANNOTATED) print_shares(out, "registers, Algorithm 1", annotated, "");
    print_shares(out, "registers, with copies", regs, "");
    print_shares(out, "registers, paper", paper_shares, "   mean of twelve workloads, Algorithm 1 (mpu-12 to mpu-14)");
    fprintf(out, "  rows a thread: near %.1f, far %.1f\n", near_rows, far_rows);
  }
  return json_pack("{s:i, s:o, s:o, s:f, s:f}", "kernels", (int)r->done, "annotated", json_shares(annotated),
                   "registers", json_shares(regs), "near_rows", near_rows, "far_rows", far_rows);
}

int offload_rule_mpu(cli_t *cli, const offload_rule_mpu_t *options) {
  report_t r = {.cli = cli, .options = options, .kernels = json_array(), .refused = json_array()};
  json_t *root = cli_json("offload", 1), *files = json_array();
  int code = EXIT_HELD;
  for (unsigned i = 0; i < options->num_files && code != EXIT_ENV && !cli_interrupted; i++) {
    int got = do_file(&r, options->files[i]);
    json_array_append_new(files, json_string(options->files[i]));
    if (got > code) code = got;
  }
  if (cli_interrupted) code = cli_error(EXIT_ENV, "interrupted; %u kernels done", r.done);
  if (!code && !r.shown && options->kernel)
    code = cli_error(EXIT_BAD, "%s: no kernel '%s'; its .entry names say what there is", options->files[0],
                     options->kernel);
  json_object_set_new(root, "files", files);
  json_object_set_new(root, "rule", json_string("mpu"));
  json_object_set_new(root, "policy", json_string(mpu_policy_name(options->policy)));
  json_object_set_new(root, "kernels", r.kernels);
  json_object_set_new(root, "refused", r.refused);
  json_object_set_new(root, "mean", report_mean_shares(&r));
  json_object_set_new(root, "paper", json_shares(paper_shares));
  return cli_finish(cli, root, code);
}
