/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of `lockstack offload --rule tom`: for each kernel its candidates, what they change in
 * traffic, and why other regions are refused.
 */
#include "offload_rule_tom.h"

#include "offload_kernels.h"

typedef struct {
  cli_t *cli;
  const offload_rule_tom_t *options;
  json_t *kernels;
  unsigned shown, candidates;
  /* candidates: with accesses at a fixed offset to each
   * other, with no others, with those or with fixed steps */
  unsigned some, all, regular;
} report_t;

enum { NAME_SIZE = 64, LIST_SIZE = 1024, TRIPS_SHOWN = 8, OFFSETS_SHOWN = 4 };

/* Traffic is counted in quarters of a word. */
static double in_words(int64_t quarters) {
  return (double)quarters / TOM_QUARTERS;
}

/* The change of traffic when the block runs `trips` times. */
static tom_change_t change_of(const tom_block_t *b, uint64_t trips) {
  return tom_change(b->sent_size, b->returned_size, b->loads * trips, b->stores * trips);
}

/* Is the block only worth offloading for enough trips? */
static bool is_conditional(const tom_block_t *b) {
  return b->cond.kind != TOM_ALWAYS;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* "%r1 %rd4(2)": (2) is a register of two words; "-" for none. */
static void list_registers(const ptx_func_t *f, const tom_reg_t *list, uint32_t count, char *text, size_t size) {
  char name[NAME_SIZE];
  size_t n = 0;
  snprintf(text, size, "-");
  for (uint32_t i = 0; i < count && n < size; i++) {
    tom_reg_name(f, &list[i], name, sizeof name);
    n += (size_t)snprintf(text + n, size - n, "%s%s%s", i ? " " : "", name, list[i].words > 1 ? "(2)" : "");
  }
}

/* In which direction the block saves traffic. */
static const char *tag_of(const tom_block_t *b) {
  if (b->saves_tx) return b->saves_rx ? "TX RX" : "TX";
  return b->saves_rx ? "RX" : "-";
}

/* The condition as the GPU tests it: "%r7 - %r1 >= 4, signed". */
static void condition_text(const ptx_func_t *f, const tom_condition_t *c, char *text, size_t size) {
  int32_t plus = c->up ? c->bound : c->start, minus = c->up ? c->start : c->bound;
  const char *of = c->is_signed ? "signed" : "unsigned";
  char distance[2 * NAME_SIZE + 16];
  if (minus == PTX_NONE) snprintf(distance, sizeof distance, "%.*s", NAME_SIZE, f->regs[plus].name);
  else
    snprintf(distance, sizeof distance, "%.*s - %.*s", NAME_SIZE, plus == PTX_NONE ? "0" : f->regs[plus].name,
             NAME_SIZE, f->regs[minus].name);
  if (c->kind == TOM_STEPS)
    snprintf(text, size, "%s %s %.*s << %u, %s", distance, c->beyond ? ">" : ">=", NAME_SIZE, f->regs[c->step].name,
             c->shift, of);
  else snprintf(text, size, "%s >= %d, %s", distance, c->imm, of);
}

/* The change of traffic by number of trips, up to the first that is worth it. A long list is cut in
 * the middle. */
static void print_changes(FILE *out, const tom_block_t *b) {
  fprintf(out, "        change of traffic by trips:");
  for (uint32_t n = 1; n <= b->least_trips; n++) {
    if (b->least_trips > TRIPS_SHOWN && n == TRIPS_SHOWN - 1) {
      fprintf(out, " ...");
      n = b->least_trips - 1;
    }
    fprintf(out, " %.10g", in_words(tom_sum(change_of(b, n))));
  }
  fputc('\n', out);
}

/* Accesses at a fixed offset to another, or to themselves a trip later: "fixed offsets: 2 of 3
 * accesses; line 50 to 45: k_b - k_a; line 45: 4 a trip". */
static void print_offsets(FILE *out, const ptx_func_t *f, const tom_block_t *b) {
  fprintf(out, "        fixed offsets: %u of %u access%s", b->num_fixed, b->num_accesses,
          b->num_accesses == 1 ? "" : "es");
  unsigned shown = 0;
  for (uint32_t i = 0; i < b->num_accesses; i++) {
    const tom_access_t *a = &b->accesses[i];
    if (a->to == TOM_NO_INSTR && !a->has_step) continue;
    if (shown++ == OFFSETS_SHOWN) {
      fprintf(out, "; ...");
      break;
    }
    fprintf(out, "; line %d", f->instrs[a->instr].line);
    if (a->to != TOM_NO_INSTR) fprintf(out, " to %d: %s", f->instrs[a->to].line, a->offset);
    else fprintf(out, ": %s a trip", a->step);
  }
  fputc('\n', out);
}

/* A candidate: a row of the table, its registers, offsets and condition. */
static void print_block(FILE *out, const ptx_func_t *f, const tom_block_t *b) {
  char list[LIST_SIZE], trips[40];
  if (is_conditional(b)) snprintf(trips, sizeof trips, ">= %u", b->least_trips);
  else if (b->trips) snprintf(trips, sizeof trips, "%llu", (unsigned long long)b->trips);
  else snprintf(trips, sizeof trips, b->is_loop ? ">= 1" : "-");
  fprintf(out, "  %4u %4u %5d %5d  %-6s %3u%s%-2.0u %3u%s%-2.0u %5llu %6llu %9.10g %9.10g %9.10g  %-5s %s\n", b->begin,
          b->exit, f->instrs[b->begin].line, f->instrs[b->exit].line, b->is_loop ? "loop" : "region",
          b->sent_size.words, b->sent_size.predicates ? "+" : " ", b->sent_size.predicates, b->returned_size.words,
          b->returned_size.predicates ? "+" : " ", b->returned_size.predicates, (unsigned long long)b->loads,
          (unsigned long long)b->stores, in_words(b->change.tx), in_words(b->change.rx), in_words(tom_sum(b->change)),
          tag_of(b), trips);
  list_registers(f, b->sent, b->num_sent, list, sizeof list);
  fprintf(out, "        in %s", list);
  list_registers(f, b->returned, b->num_returned, list, sizeof list);
  fprintf(out, "; out %s\n", list);
  print_offsets(out, f, b);
  if (!is_conditional(b)) return;
  condition_text(f, &b->cond, list, sizeof list);
  fprintf(out, "        if %s\n", list);
  print_changes(out, b);
}

/* A region that is no candidate, and why. */
static void print_refused(FILE *out, const tom_refused_t *r) {
  fprintf(out, "  line %d: %s: %s", r->line, r->is_loop ? "loop" : "region", r->text);
  if (r->at) fprintf(out, ", line %d", r->at);
  if (r->has_change)
    fprintf(out, " (TX %.10g, RX %.10g, sum %.10g)", in_words(r->change.tx), in_words(r->change.rx),
            in_words(tom_sum(r->change)));
  fputc('\n', out);
}

/* A table of the candidates, then what was refused and why. */
static void print_kernel(FILE *out, const char *file, const tom_program_t *p) {
  fprintf(out, "%s: kernel %s: %u candidate%s, at most %u words of registers alive (line %d)\n", file, p->func->name,
          p->num_blocks, p->num_blocks == 1 ? "" : "s", p->most_alive, p->most_alive_line);
  if (p->too_many_alive) fprintf(out, "  no candidates: more than %d words of registers are alive\n", TOM_MAX_REGS);
  if (p->dropped)
    fprintf(out, "  %u more candidate%s dropped: the table has %d entries\n", p->dropped,
            p->dropped == 1 ? " is" : "s are", TOM_MAX_BLOCKS);
  if (p->num_blocks)
    fprintf(out, "  %4s %4s %5s %5s  %-6s %6s %6s %5s %6s %9s %9s %9s  %-5s %s\n", "pc", "exit", "line", "to", "", "in",
            "out", "loads", "stores", "TX", "RX", "sum", "saves", "trips");
  for (uint32_t i = 0; i < p->num_blocks; i++) print_block(out, p->func, &p->blocks[i]);
  if (p->num_refused) fprintf(out, "  refused:\n");
  for (uint32_t i = 0; i < p->num_refused; i++) print_refused(out, &p->refused[i]);
  fputc('\n', out);
}

/* ---- For programs ---------------------------------------------------------------------------- */

/* In words, as in the table; the compiler counts quarters of them. */
static json_t *json_change(tom_change_t change) {
  return json_pack("{s:f, s:f, s:f}", "tx", in_words(change.tx), "rx", in_words(change.rx), "sum",
                   in_words(tom_sum(change)));
}

/* Registers that are sent or returned. `words` and `predicates` are the size of all of them. */
static json_t *json_registers(const ptx_func_t *f, const tom_reg_t *list, uint32_t count, tom_size_t size) {
  char name[NAME_SIZE];
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++) {
    tom_reg_name(f, &list[i], name, sizeof name);
    json_array_append_new(array, json_pack("{s:s, s:i}", "register", name, "words", (int)list[i].words));
  }
  return json_pack("{s:i, s:i, s:o}", "words", (int)size.words, "predicates", (int)size.predicates, "registers", array);
}

/* A register's name, or null. */
static json_t *json_name(const ptx_func_t *f, int32_t reg) {
  return reg == PTX_NONE ? json_null() : json_string(f->regs[reg].name);
}

/* null: the block is always worth it. */
static json_t *json_condition(const ptx_func_t *f, const tom_block_t *b) {
  const tom_condition_t *c = &b->cond;
  if (!is_conditional(b)) return json_null();
  json_t *changes = json_array();
  for (uint32_t n = 1; n <= b->least_trips; n++)
    json_array_append_new(changes, json_real(in_words(tom_sum(change_of(b, n)))));
  return json_pack("{s:s, s:b, s:b, s:b, s:i, s:o, s:o, s:o, s:i, s:o}", "kind",
                   c->kind == TOM_STEPS ? "steps" : "distance", "up", (int)c->up, "signed", (int)c->is_signed, "beyond",
                   (int)c->beyond, "shift", (int)c->shift, "start", json_name(f, c->start), "bound",
                   json_name(f, c->bound), "step", json_name(f, c->step), "immediate", (int)c->imm, "changes", changes);
}

/* `offset` is the fixed distance from access `to`, `step` how far each trip moves this one; null:
 * there is none. */
static json_t *json_accesses(const ptx_func_t *f, const tom_block_t *b) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < b->num_accesses; i++) {
    const tom_access_t *a = &b->accesses[i];
    const bool paired = a->to != TOM_NO_INSTR;
    json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:o, s:o, s:o}", "pc", (int)a->instr, "line",
                                           f->instrs[a->instr].line, "kind",
                                           f->instrs[a->instr].op == PTX_OP_st ? "store" : "load", "to",
                                           paired ? json_integer(a->to) : json_null(), "offset",
                                           paired ? json_string(a->offset) : json_null(), "step",
                                           a->has_step ? json_string(a->step) : json_null()));
  }
  return array;
}

/* A candidate: where it is, what goes in and out, and the change of traffic. `trips` is null where
 * the compiler does not know it, `condition` null where the block is worth it with any. */
static json_t *json_block(const ptx_func_t *f, const tom_block_t *b) {
  json_t *tag = json_pack("{s:b, s:b}", "tx", (int)b->saves_tx, "rx", (int)b->saves_rx);
  json_t *trips = b->trips ? json_integer((json_int_t)b->trips) : json_null();
  json_t *in = json_registers(f, b->sent, b->num_sent, b->sent_size),
         *out = json_registers(f, b->returned, b->num_returned, b->returned_size);
  return json_pack("{s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:o, s:o, s:I, s:I, s:o, s:i, s:o, s:o, s:o, s:i, s:o}", "pc",
                   (int)b->begin, "exit", (int)b->exit, "line", f->instrs[b->begin].line, "exit_line",
                   f->instrs[b->exit].line, "first_access", (int)b->first_access, "kind",
                   b->is_loop ? "loop" : "region", "instructions", (int)b->num_instrs, "in", in, "out", out, "loads",
                   (json_int_t)b->loads, "stores", (json_int_t)b->stores, "trips", trips, "least_trips",
                   (int)b->least_trips, "change", json_change(b->change), "tag", tag, "condition", json_condition(f, b),
                   "fixed_offsets", (int)b->num_fixed, "accesses", json_accesses(f, b));
}

static json_t *json_refused(const tom_refused_t *r) {
  return json_pack("{s:s, s:i, s:i, s:o, s:s, s:o}", "kind", r->is_loop ? "loop" : "region", "pc", (int)r->begin,
                   "line", r->line, "at", r->at ? json_integer(r->at) : json_null(), "text", r->text, "change",
                   r->has_change ? json_change(r->change) : json_null());
}

/* `dropped` candidates found no room in the table. With `too_many_alive` there are none at all. */
static json_t *json_kernel(const char *file, const tom_program_t *p) {
  json_t *blocks = json_array(), *refused = json_array();
  for (uint32_t i = 0; i < p->num_blocks; i++) json_array_append_new(blocks, json_block(p->func, &p->blocks[i]));
  for (uint32_t i = 0; i < p->num_refused; i++) json_array_append_new(refused, json_refused(&p->refused[i]));
  return json_pack("{s:s, s:s, s:i, s:i, s:b, s:i, s:o, s:o}", "file", file, "name", p->func->name, "most_alive",
                   (int)p->most_alive, "most_alive_line", p->most_alive_line, "too_many_alive", (int)p->too_many_alive,
                   "dropped", (int)p->dropped, "candidates", blocks, "refused", refused);
}

/* ---- The verb -------------------------------------------------------------------------------- */

/* Compiles and reports one kernel (offload_each_t). */
static int do_kernel(void *context, const char *file, const ptx_module_t *m, const ptx_func_t *func) {
  report_t *r = context;
  tom_program_t *p = tom_compile(m, func, r->options->regions);
  r->shown++;
  if (!p) return cli_error(EXIT_ENV, "%s: kernel %s: out of memory", file, func->name);
  print_kernel(r->cli->out, file, p);
  if (r->cli->json) json_array_append_new(r->kernels, json_kernel(file, p));
  r->candidates += p->num_blocks;
  for (uint32_t i = 0; i < p->num_blocks; i++) {
    const tom_block_t *b = &p->blocks[i];
    r->some += b->num_fixed > 0;
    r->all += b->num_fixed == b->num_accesses;
    r->regular += b->num_regular > 0;
  }
  tom_program_free(p);
  return EXIT_HELD;
}

/* Reads a PTX file and reports its kernels, or the one that was named. 0, or an exit code after a
 * line. */
static int do_file(report_t *r, const char *file) {
  ptx_error_t err;
  ptx_module_t *m = ptx_read(file, &err);
  if (!m) return cli_trouble(&err.trouble);
  const int code = offload_kernels(r->cli->out, file, m, r->options->kernel, do_kernel, r);
  ptx_free(m);
  return code;
}

int offload_rule_tom(cli_t *cli, const offload_rule_tom_t *options) {
  report_t r = {.cli = cli, .options = options, .kernels = json_array()};
  json_t *root = cli_json("offload", 1), *files = json_array();
  int code = EXIT_HELD;
  for (unsigned i = 0; i < options->num_files && code == EXIT_HELD && !cli_interrupted; i++) {
    code = do_file(&r, options->files[i]);
    json_array_append_new(files, json_string(options->files[i]));
  }
  if (cli_interrupted) code = cli_error(EXIT_ENV, "interrupted; %u kernels done", r.shown);
  if (!code && !r.shown && options->kernel)
    code = cli_error(EXIT_BAD, "%s: no kernel '%s'; its .entry names say what there is", options->files[0],
                     options->kernel);
  if (!code) {
    fprintf(cli->out, "%u candidate%s in %u kernel%s\n", r.candidates, r.candidates == 1 ? "" : "s", r.shown,
            r.shown == 1 ? "" : "s");
    fprintf(
        cli->out,
        "with accesses at a fixed offset to each other: %u, %u of them with no others; or to themselves a trip later: "
        "%u\n",
        r.some, r.all, r.regular);
  }
  json_object_set_new(root, "files", files);
  json_object_set_new(root, "rule", json_string("tom"));
  json_object_set_new(root, "regions", json_string(tom_regions_name(options->regions)));
  json_object_set_new(root, "kernels", r.kernels);
  json_object_set_new(root, "fixed_offsets",
                      json_pack("{s:i, s:i, s:i, s:i}", "candidates", (int)r.candidates, "some", (int)r.some, "all",
                                (int)r.all, "or_steps", (int)r.regular));
  return cli_finish(cli, root, code);
}
