/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack offload: the offload blocks of a PTX file, their scores, and the code of both sides
 * (NSU paper, section 3, Fig. 3); with --rule mpu, locations and physical registers (MPU paper,
 * section V-B; offload_rule_mpu.c); with --rule tom, candidates and what they change in traffic
 * (TOM paper, section 3.1; offload_rule_tom.c).
 */
#include "cli.h"
#include "nsu_asm.h"
#include "nsu_isa.h"
#include "offload.h"
#include "offload_count.h"
#include "offload_kernels.h"
#include "offload_rule_mpu.h"
#include "offload_targets.h"
#include "offload_rule_tom.h"
#include "target_traffic.h"

#include <stdlib.h>
#include <string.h>

typedef enum { RULE_NSU, RULE_MPU, RULE_TOM, NUM_RULES } rule_t;

/* `file` is the one file of rule nsu; the other rules read all `files`. */
typedef struct {
  const char **files; /* room for all arguments */
  unsigned num_files;
  const char *file, *kernel, *policy, *regions;
  rule_t rule;
  bool count;
  uint64_t targets; /* stacks; 0: not asked for */
} options_t;

enum { KEY_RULE = 0x100, KEY_KERNEL, KEY_POLICY, KEY_COUNT, KEY_TARGETS, KEY_REGIONS, GPU_WIDTH = 58 };

static const struct argp_option argp_options[] = {
    {"rule", KEY_RULE, "nsu|mpu|tom", 0,
     "Whose compiler: offload blocks (default nsu: NSU paper), locations (mpu: MPU paper), or candidates (tom: TOM "
     "paper)",
     0},
    {"kernel", KEY_KERNEL, "NAME", 0, "This kernel alone", 0},
    {"count", KEY_COUNT, NULL, 0,
     "Of the workloads of the NSU paper's Table 1: the sizes of their blocks, the paper's beside ours. No FILE", 0},
    {"policy", KEY_POLICY, "P", 0, "Of --rule mpu: annotated (default), or default, near, far: where instructions run",
     0},
    {"regions", KEY_REGIONS, "all|loops", 0, "Of --rule tom: loops and other regions (default all), or loops alone", 0},
    {"targets", KEY_TARGETS, "STACKS", 0,
     "No file: the traffic when a block's target is its first access's stack, and when it is the best (NSU paper, "
     "Fig. 5)",
     0},
    {0},
};

/* Which options and files go together. */
static error_t check_options(options_t *o, const struct argp_state *state) {
  if (o->count && (o->num_files || o->rule || o->kernel || o->policy || o->regions))
    return cli_usage(state, "--count goes alone: its kernels are those of Table 1");
  if (o->targets && (o->num_files || o->rule || o->count || o->kernel || o->policy || o->regions))
    return cli_usage(state, "--targets goes with no file and no other option");
  if (o->targets || o->count) return 0;
  if (!o->num_files)
    return cli_usage(state, "a FILE.ptx is missing; for example firmware/workloads/kernels/vadd/vadd.ptx");
  if (o->rule == RULE_NSU && o->num_files > 1)
    return cli_usage(state, "--rule nsu takes one FILE.ptx; several go with --rule mpu and --rule tom");
  if (o->rule != RULE_MPU && o->policy) return cli_usage(state, "--policy goes with --rule mpu");
  if (o->rule != RULE_TOM && o->regions) return cli_usage(state, "--regions goes with --rule tom");
  o->file = o->files[0];
  return 0;
}

/* False: no such rule. */
static bool rule_find(const char *name, rule_t *rule) {
  static const char *const names[NUM_RULES] = {"nsu", "mpu", "tom"};
  for (unsigned i = 0; i < NUM_RULES; i++) {
    if (strcmp(name, names[i]) != 0) continue;
    *rule = (rule_t)i;
    return true;
  }
  return false;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  mpu_policy_t policy;
  tom_regions_t regions;
  switch (key) {
  case KEY_RULE: return rule_find(arg, &o->rule) ? 0 : cli_usage(state, "--rule: '%s' should be nsu, mpu or tom", arg);
  case KEY_KERNEL: o->kernel = arg; return 0;
  case KEY_POLICY:
    o->policy = arg;
    return mpu_policy_find(arg, &policy)
               ? 0
               : cli_usage(state, "--policy: '%s' should be annotated, default, near or far", arg);
  case KEY_REGIONS:
    o->regions = arg;
    return tom_regions_find(arg, &regions) ? 0 : cli_usage(state, "--regions: '%s' should be all or loops", arg);
  case KEY_COUNT: o->count = true; return 0;
  case KEY_TARGETS: return cli_number(state, "--targets", arg, TARGET_STACKS_LEAST, TARGET_STACKS_MOST, &o->targets);
  case ARGP_KEY_ARG: o->files[o->num_files++] = arg; return 0;
  case ARGP_KEY_END: return check_options(o, state);
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- For people ------------------------------------------------------------------------------ */

/* "%r1 %rd4.lo %rd4.hi": registers of 8 bytes are sent by halves; "-" for none. */
static void list_registers(const ptx_func_t *f, const offload_reg_t *list, uint32_t count, char *text, size_t size) {
  size_t n = 0;
  snprintf(text, size, "-");
  for (uint32_t i = 0; i < count && n < size; i++) {
    bool wide = ptx_type_bytes(f->regs[list[i].reg].type) == 8;
    const char *half = list[i].half ? ".hi" : ".lo";
    n += (size_t)snprintf(text + n, size - n, "%s%s%s", i ? " " : "", f->regs[list[i].reg].name, wide ? half : "");
  }
}

/* A row of the listing: PTX line, what the GPU executes, its mark, and the next instruction of the
 * NSU if `nsu` is not NULL; *nsu moves on. No blanks at the end of a row. */
static void print_code_row(FILE *out, const char *pc, const char *gpu, const char *mark, const offload_block_t *b,
                           uint32_t *nsu) {
  char text[NSU_DISASM_SIZE] = "", row[512];
  int n = snprintf(row, sizeof row, "  %5s  %-*s %-8s", pc, GPU_WIDTH, gpu, mark);
  if (nsu && *nsu < b->num_nsu) {
    nsu_disasm(b->nsu[*nsu], text);
    snprintf(row + n, sizeof row - (size_t)n, " 0x%04x  %s", b->nsu_pc + *nsu * ISA_INSTR_BYTES, text);
    ++*nsu;
  }
  n = (int)strlen(row);
  while (n > 0 && row[n - 1] == ' ') n--;
  fprintf(out, "%.*s\n", n, row);
}

/* What the GPU does with an instruction: "@NSU" skips it, "RDF 3-4" sends packets with these
 * sequence numbers. */
static void mark_of(const offload_block_t *b, uint32_t at, const ptx_instr_t *in, char *mark, size_t size) {
  static const char *const marks[] = {"", "@NSU", "@GPU+NSU", "RDF", "WTA"};
  unsigned words = offload_access(in).words;
  switch (b->role[at]) {
  case OFFLOAD_LOAD:
  case OFFLOAD_STORE:
    if (words > 1) snprintf(mark, size, "%s %u-%u", marks[b->role[at]], b->seq[at], b->seq[at] + words - 1);
    else snprintf(mark, size, "%s %u", marks[b->role[at]], b->seq[at]);
    break;
  default: snprintf(mark, size, "%s", marks[b->role[at]]);
  }
}

/* Both sides of a block, side by side: a PTX instruction stands beside the NSU instructions that
 * were made of it; rows without PTX have what the compiler added. */
static void print_code(FILE *out, const ptx_func_t *f, const offload_block_t *b) {
  char gpu[256], list[128], pc[16], mark[24];
  uint32_t nsu = 0;
  list_registers(f, b->sent, b->num_sent, list, sizeof list);
  snprintf(gpu, sizeof gpu, "OFLD.BEG 0x%04x, %s, %u, %u", b->nsu_pc, list, b->num_loads, b->num_stores);
  fprintf(out, "   line  %-*s %-8s NSU\n", GPU_WIDTH, "GPU", "");
  print_code_row(out, "", gpu, "", b, &nsu);
  for (uint32_t i = b->first; i <= b->last; i++) {
    const ptx_instr_t *in = &f->instrs[i];
    bool first = true;
    while (nsu < b->num_nsu - 1 && b->role[i - b->first] != OFFLOAD_GPU && b->nsu_source[nsu] == PTX_NONE)
      print_code_row(out, "", "", "", b, &nsu);
    snprintf(pc, sizeof pc, "%d", in->line);
    mark_of(b, i - b->first, in, mark, sizeof mark);
    if (b->role[i - b->first] == OFFLOAD_GPU) print_code_row(out, pc, in->source, mark, b, NULL);
    for (; b->role[i - b->first] != OFFLOAD_GPU && nsu < b->num_nsu && b->nsu_source[nsu] == (int32_t)i; first = false)
      print_code_row(out, first ? pc : "", first ? in->source : "", first ? mark : "", b, &nsu);
  }
  list_registers(f, b->returned, b->num_returned, list, sizeof list);
  snprintf(gpu, sizeof gpu, "OFLD.END %s", list);
  print_code_row(out, "", gpu, "", b, &nsu);
}

/* The name of the kernel's parameter at this offset; NULL: none. */
static const char *parameter_at(const ptx_module_t *m, const ptx_func_t *f, int32_t offset) {
  for (uint32_t i = 0; i < f->num_params; i++)
    if ((int32_t)m->vars[f->params[i]].offset == offset) return m->vars[f->params[i]].name;
  return NULL;
}

/* Loads that may read what the block wrote. The GPU checks each pair before it offloads the
 * block. */
static void print_pairs(FILE *out, const ptx_module_t *m, const ptx_func_t *f, const offload_block_t *b) {
  for (uint32_t p = 0; p < b->num_pairs; p++) {
    const char *store = parameter_at(m, f, b->pairs[p].store_param), *load = parameter_at(m, f, b->pairs[p].load_param);
    fprintf(out, "  line %d may read what line %d writes (%s, %s)\n", f->instrs[b->first + b->pairs[p].load].line,
            f->instrs[b->first + b->pairs[p].store].line, load ? load : "unknown", store ? store : "unknown");
  }
}

static const char *plural(uint32_t n) {
  return n == 1 ? "" : "s";
}

/* Each block's score, its code on both sides, and its pairs of store and load. */
static void print_kernel(FILE *out, const ptx_module_t *m, const offload_kernel_t *k) {
  fprintf(out, "kernel %s: %u offload block%s\n", k->func->name, k->num_blocks, plural(k->num_blocks));
  for (uint32_t i = 0; i < k->num_blocks; i++) {
    const offload_block_t *b = &k->blocks[i];
    fprintf(out,
            "\nblock %u%s: score %d = %d saved - %d moved (bytes a thread); %u instruction%s for the NSU, %u load%s, "
            "%u store%s, "
            "%u register%s sent, %u returned\n",
            i, b->indirect ? " (indirect load)" : "", b->score, b->reduction, b->overhead, b->count, plural(b->count),
            b->num_loads, plural(b->num_loads), b->num_stores, plural(b->num_stores), b->num_sent, plural(b->num_sent),
            b->num_returned);
    print_code(out, k->func, b);
    print_pairs(out, m, k->func, b);
  }
  fputc('\n', out);
}

/* ---- For programs ---------------------------------------------------------------------------- */

/* `half` 1 is bits 63..32 of a 64-bit register, else 0. */
static json_t *json_registers(const ptx_func_t *f, const offload_reg_t *list, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(array, json_pack("{s:s, s:i, s:i}", "register", f->regs[list[i].reg].name, "half",
                                           (int)list[i].half, "nsu_register", (int)list[i].nsu_reg));
  return array;
}

/* The block's PTX, with the role of each instruction. */
static json_t *json_gpu(const ptx_func_t *f, const offload_block_t *b) {
  json_t *array = json_array();
  for (uint32_t i = b->first; i <= b->last; i++) {
    unsigned role = b->role[i - b->first];
    json_t *row = json_pack("{s:i, s:i, s:s, s:s}", "instruction", (int)i, "line", (int)f->instrs[i].line, "role",
                            offload_role_name((offload_role_t)role), "text", f->instrs[i].source);
    if (role == OFFLOAD_LOAD || role == OFFLOAD_STORE) {
      json_object_set_new(row, "sequence", json_integer(b->seq[i - b->first]));
      json_object_set_new(row, "words", json_integer(offload_access(&f->instrs[i]).words));
    }
    json_array_append_new(array, row);
  }
  return array;
}

/* The block's NSU code. `instruction` is the PTX instruction that a word was made of; null: the
 * compiler added it. */
static json_t *json_nsu(const offload_block_t *b) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < b->num_nsu; i++) {
    char word[24], text[NSU_DISASM_SIZE];
    snprintf(word, sizeof word, "0x%016llx", (unsigned long long)b->nsu[i]);
    nsu_disasm(b->nsu[i], text);
    json_array_append_new(array,
                          json_pack("{s:i, s:s, s:s, s:o}", "pc", (int)(b->nsu_pc + i * ISA_INSTR_BYTES), "word", word,
                                    "text", text, "instruction",
                                    b->nsu_source[i] == PTX_NONE ? json_null() : json_integer(b->nsu_source[i])));
  }
  return array;
}

/* A load and a store before it, by instruction. The parameters are the pointers that their
 * addresses were made from; null: none known. */
static json_t *json_pairs(const ptx_module_t *m, const ptx_func_t *f, const offload_block_t *b) {
  json_t *array = json_array();
  for (uint32_t p = 0; p < b->num_pairs; p++)
    json_array_append_new(array, json_pack("{s:i, s:i, s:s?, s:s?}", "store", (int)(b->first + b->pairs[p].store),
                                           "load", (int)(b->first + b->pairs[p].load), "store_parameter",
                                           parameter_at(m, f, b->pairs[p].store_param), "load_parameter",
                                           parameter_at(m, f, b->pairs[p].load_param)));
  return array;
}

/* A block: first and last instruction, its score, and the code that the GPU and the NSU run. */
static json_t *json_block(const ptx_module_t *m, const ptx_func_t *f, const offload_block_t *b) {
  return json_pack("{s:i, s:i, s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "first", (int)b->first,
                   "last", (int)b->last, "indirect", (int)b->indirect, "score", (int)b->score, "reduction",
                   (int)b->reduction, "overhead", (int)b->overhead, "count", (int)b->count, "loads", (int)b->num_loads,
                   "stores", (int)b->num_stores, "sent", json_registers(f, b->sent, b->num_sent), "returned",
                   json_registers(f, b->returned, b->num_returned), "pairs", json_pairs(m, f, b), "gpu", json_gpu(f, b),
                   "nsu", json_nsu(b));
}

static json_t *json_kernel(const ptx_module_t *m, const offload_kernel_t *k) {
  json_t *blocks = json_array();
  for (uint32_t i = 0; i < k->num_blocks; i++) json_array_append_new(blocks, json_block(m, k->func, &k->blocks[i]));
  return json_pack("{s:s, s:o}", "name", k->func->name, "blocks", blocks);
}

/* ---- The verb -------------------------------------------------------------------------------- */

/* Reports the kernels that were asked for. 0, or an exit code after a line. */
static int report_offload_blocks(cli_t *cli, const options_t *options, const offload_t *offload) {
  json_t *root = cli_json("offload", 1), *kernels = json_array();
  uint32_t shown = 0;
  for (uint32_t i = 0; i < offload->num_kernels; i++) {
    const offload_kernel_t *k = &offload->kernels[i];
    if (options->kernel && strcmp(options->kernel, k->func->name) != 0) continue;
    print_kernel(cli->out, offload->module, k);
    json_array_append_new(kernels, json_kernel(offload->module, k));
    shown++;
  }
  int code = EXIT_HELD;
  if (!shown && options->kernel)
    code =
        cli_error(EXIT_BAD, "%s: no kernel '%s'; its .entry names say what there is", options->file, options->kernel);
  else if (!shown) code = offload_no_kernel(cli->out, options->file, offload->module);
  if (code) {
    json_decref(kernels);
    json_decref(root);
    return code;
  }
  json_object_set_new(root, "file", json_string(options->file));
  json_object_set_new(root, "rule", json_string("nsu"));
  json_object_set_new(root, "kernels", kernels);
  return cli_finish(cli, root, EXIT_HELD);
}

/* Rule nsu: compiles the file's kernels as `run` does, and reports. 0, or an exit code after a
 * line. */
static int run_nsu(cli_t *cli, const options_t *options) {
  ptx_error_t err;
  ptx_module_t *module = ptx_read(options->file, &err);
  if (!module) return cli_trouble(&err.trouble);
  offload_t *offload = offload_compile(module);
  int code =
      offload ? report_offload_blocks(cli, options, offload) : cli_error(EXIT_ENV, "%s: out of memory", options->file);
  offload_free(offload);
  ptx_free(module);
  return code;
}

static int run_mpu(cli_t *cli, const options_t *options) {
  offload_rule_mpu_t mpu = {.files = options->files, .num_files = options->num_files, .kernel = options->kernel};
  if (options->policy) mpu_policy_find(options->policy, &mpu.policy);
  return offload_rule_mpu(cli, &mpu);
}

static int run_tom(cli_t *cli, const options_t *options) {
  offload_rule_tom_t tom = {.files = options->files, .num_files = options->num_files, .kernel = options->kernel};
  if (options->regions) tom_regions_find(options->regions, &tom.regions);
  return offload_rule_tom(cli, &tom);
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE.ptx...\n--count",
    "Finds the offload blocks of a PTX file's kernels and prints their scores and, side by side, what the GPU "
    "and the NSU execute. @NSU: the GPU skips it; RDF, WTA: it sends packets with these sequence numbers. "
    "With --rule mpu: where each instruction of the near-bank processor runs (N near, F far, N/F either), where each "
    "register may have copies (B both; in parentheses Algorithm 1's location where that differs), its physical rows, "
    "and the shares of locations beside the paper's; kernels that cannot be done are a line each. "
    "With --rule tom: blocks that a memory stack's SM may run, the words that live into and out of each, the change of "
    "traffic in words a warp (TX to the stack, RX back; below 0 is saved), the condition for loops, and why others "
    "are refused."
    "\vExamples:\n  lockstack offload firmware/workloads/kernels/vadd/vadd.ptx\n"
    "  lockstack offload --count\n"
    "  lockstack offload --rule mpu firmware/workloads/kernels/*/*.ptx\n"
    "  lockstack offload --rule tom tests/unit/firmware/libor.ptx\n"
    "  lockstack offload --targets 8\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  static int (*const runs[NUM_RULES])(cli_t *, const options_t *) = {run_nsu, run_mpu, run_tom};
  options_t options = {.files = calloc((size_t)argc + 1, sizeof *options.files)};
  if (!options.files) return cli_error(EXIT_ENV, "out of memory");
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (!code && options.targets) code = offload_targets(cli, (unsigned)options.targets);
  else if (!code && options.count) code = offload_count(cli);
  else if (!code) code = runs[options.rule](cli, &options);
  free(options.files);
  return code;
}

const verb_t verb_offload = {
    "offload",
    "offload blocks of a PTX file and the code of both sides; locations for --rule mpu, candidates for --rule tom", run,
    &argp};
