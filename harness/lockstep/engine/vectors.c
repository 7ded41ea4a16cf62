/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include "guard.h"
#include "judged.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 };

/* Parses one line into values. NULL, or what is wrong. */
static const char *parse_line(char *text, uint64_t *values, size_t width) {
  char *save, *end;
  size_t n = 0;
  for (char *word = strtok_r(text, " \t\r\n,", &save); word; word = strtok_r(NULL, " \t\r\n,", &save)) {
    if (*word == '#') break;
    if (n == width) return "too many numbers";
    errno = 0;
    values[n++] = strtoull(word, &end, 16);
    if (*end || errno || *word == '-' || *word == '+') return "not a hexadecimal number of at most 64 bits";
  }
  return n == width ? NULL : "too few numbers";
}

static bool is_blank_line(const char *line) {
  while (isspace((unsigned char)*line)) line++;
  return !*line || *line == '#';
}

/* Room for one more vector. */
static bool grow_vectors(vectors_t *v, size_t *room) {
  if (v->count < *room) return true;
  *room = *room ? 2 * *room : 1024;
  uint64_t *values = realloc(v->values, *room * v->width * sizeof *values);
  if (values) v->values = values;
  unsigned *lines = realloc(v->lines, *room * sizeof *lines);
  if (lines) v->lines = lines;
  return values && lines;
}

/* Reads all lines; errors name the line and the expected form. */
static bool read_all(vectors_t *v, FILE *file, const char *path, const stim_t *stim, trouble_t *trouble) {
  char *line = NULL;
  size_t line_size = 0, room = 0;
  bool ok = true;
  ssize_t length;
  for (unsigned n = 1; ok && (length = getline(&line, &line_size, file)) >= 0; n++) {
    const bool cut = strlen(line) != (size_t)length;
    const char *why;
    if (!cut && is_blank_line(line)) continue;
    if (!grow_vectors(v, &room)) ok = trouble_memory(trouble);
    else if ((why = cut ? "a zero byte" : parse_line(line, v->values + v->count * v->width, v->width)))
      ok = trouble_set(trouble, TROUBLE_INPUT, "%s:%u: %s; a line is %zu hexadecimal numbers: %s", path, n, why,
                       v->width, stim->vector_text ? stim->vector_text : "operands and result");
    else v->lines[v->count++] = n;
  }
  free(line);
  return ok;
}

bool vectors_read(vectors_t *v, const char *path, const stim_t *stim, trouble_t *trouble) {
  memset(v, 0, sizeof *v);
  v->width = stim->vector_operands + 1u;
  judged_option(path);
  FILE *file = fopen(path, "r");
  if (!file) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  bool ok = read_all(v, file, path, stim, trouble);
  if (ok && ferror(file)) ok = trouble_set(trouble, TROUBLE_INPUT, "%s: cannot read: %s", path, strerror(errno));
  fclose(file);
  if (ok && !v->count)
    ok = trouble_set(trouble, TROUBLE_INPUT, "%s: no vectors; a line is %s", path,
                     stim->vector_text ? stim->vector_text : "operands and result");
  return ok;
}

void vectors_free(vectors_t *v) {
  free(v->values);
  free(v->lines);
}

/* The failure of a run in which RTL and model agree and the file differs: its first
 * wrong vector. */
static void first_wrong(const lockstep_t *ls, const stim_t *stim, const vectors_t *v, size_t i, const char *path,
                        bool there, uint64_t got, failure_t *f) {
  char said[40];
  snprintf(said, sizeof said, there ? "0x%" PRIx64 : "no result in cycle %" PRIu64,
           there ? got : (uint64_t)stim->vector_latency);
  *f = (failure_t){.outcome = OUTCOME_DIVERGED, .cycle = ls->cycle - 1, .port = -1};
  snprintf(f->text, sizeof f->text, "%s:%u: the file says 0x%" PRIx64 ", rtl and model %s", path, v->lines[i],
           v->values[i * v->width + v->width - 1], said);
}

/* Compares a result with the file, and prints the first few differences. */
static void check_result(const lockstep_t *ls, const stim_t *stim, const vectors_t *v, size_t i, const char *path,
                         FILE *out, vectors_result_t *result) {
  uint64_t got = 0, expected = v->values[i * v->width + v->width - 1];
  bool there = stim->vector_result(ls->out, &got);
  if (there && got == expected) return;
  if (!result->wrong) first_wrong(ls, stim, v, i, path, there, got, &result->first);
  if (result->wrong++ < SHOWN) {
    fprintf(out, "  %s:%u:", path, v->lines[i]);
    for (size_t k = 0; k + 1 < v->width; k++) fprintf(out, " %" PRIx64, v->values[i * v->width + k]);
    if (there) fprintf(out, "\n    file           0x%" PRIx64 "\n    rtl and model  0x%" PRIx64 "\n", expected, got);
    else
      fprintf(out, "\n    file           0x%" PRIx64 "\n    rtl and model  no result in cycle %u\n", expected,
              stim->vector_latency);
  }
}

/* State of a run. */
typedef struct {
  lockstep_t *ls;
  const stim_t *stim;
  const vectors_t *v;
  const char *path;
  FILE *out;
  trace_t *trace;
  uint64_t *in, *other, *operands; /* inputs of the cycle; inputs for a trial; operands of the line */
  size_t at;                       /* the cycle */
  size_t line;                     /* the vector in flight: driven, or its result read */
  stim_crash_t crash;
} vrun_t;

/* --- operands wider than their inputs */

/* Inputs for these operands, cut to the ports' widths as the block sees them. */
static void drive_operands(const vrun_t *r, const uint64_t *operands, uint64_t *in) {
  memset(in, 0, r->ls->dut->in_size);
  r->stim->vector_drive(operands, in);
  for (uint32_t i = 0; i < r->ls->dut->in_size / 8; i++) in[i] &= ((const uint64_t *)r->ls->in_mask)[i];
}

/* True if flipping this bit of the operand changes the inputs. */
static bool is_bit_taken(vrun_t *r, size_t operand, unsigned bit) {
  const uint64_t flip = UINT64_C(1) << bit;
  r->operands[operand] ^= flip;
  drive_operands(r, r->operands, r->other);
  r->operands[operand] ^= flip;
  return memcmp(r->in, r->other, r->ls->dut->in_size) != 0;
}

/* False, with an error: an input cuts bits off the operand. An operand without any effect is unused
 * by this line. */
static bool operand_fits(vrun_t *r, size_t operand, trouble_t *trouble) {
  const uint64_t value = r->operands[operand];
  const unsigned bits = value ? 64 - (unsigned)__builtin_clzll(value) : 0;
  unsigned width = bits;
  while (width && !is_bit_taken(r, operand, width - 1)) width--;
  if (!width || width == bits) return true;
  const char *word = r->stim->vector_text ? r->stim->vector_text : "";
  for (size_t i = 0; i < operand && *word; i++) word += strcspn(word, " "), word += strspn(word, " ");
  return trouble_set(trouble, TROUBLE_INPUT,
                     "%s:%u: operand %zu%s%.*s is %" PRIx64
                     ", of %u bits; the inputs take %u of them: at most %" PRIx64,
                     r->path, r->v->lines[r->line], operand + 1, *word ? ", " : "", (int)strcspn(word, " "), word,
                     value, bits, width, UINT64_MAX >> (64 - width));
}

/* Checks each operand of each line. */
static bool all_fit(vrun_t *r, trouble_t *trouble) {
  const size_t count = r->v->width - 1;
  for (r->line = 0; r->line < r->v->count; r->line++) {
    memcpy(r->operands, r->v->values + r->line * r->v->width, count * sizeof *r->operands);
    drive_operands(r, r->operands, r->in);
    for (size_t i = 0; i < count; i++)
      if (!operand_fits(r, i, trouble)) return false;
  }
  return true;
}

/* Checks all operands before the first cycle. A stimulus that crashes here crashes again in the
 * run, which reports the place. */
static bool judge_operands(vrun_t *r, trouble_t *trouble) {
  volatile bool fit = true;
  if (_setjmp(r->crash.jump) == 0) {
    run_guard(r->ls->dut, &r->crash);
    fit = all_fit(r, trouble);
  } else if (strcmp(r->crash.how, GUARD_INTERRUPTED) == 0) run_crashed(r->ls, &r->crash);
  run_unguard(r->ls->dut);
  r->line = 0;
  return fit;
}

/* --- running */

/* One cycle: drives vector `at`, reads the result of the vector `latency` before. False: the last
 * cycle. */
static bool one_cycle(vrun_t *r, vectors_result_t *result) {
  const size_t latency = r->stim->vector_latency, done = r->at < latency ? 0 : r->at - latency;
  memset(r->in, 0, r->ls->dut->in_size);
  r->line = r->at;
  if (r->at < r->v->count) r->stim->vector_drive(r->v->values + r->at * r->v->width, r->in);
  r->line = done;
  const outcome_t outcome = lockstep_cycle(r->ls, r->in);
  if (!trace_add(r->trace, r->ls->in) || outcome != OUTCOME_PASS) return false;
  if (r->at >= latency) check_result(r->ls, r->stim, r->v, done, r->path, r->out, result);
  return true;
}

/* Runs until all results are read, `latency` cycles behind the last vector. */
static void all_cycles(vrun_t *r, vectors_result_t *result) {
  if (_setjmp(r->crash.jump) == 0) {
    run_guard(r->ls->dut, &r->crash);
    while (r->at < r->v->count + r->stim->vector_latency && one_cycle(r, result)) r->at++;
  } else run_crashed(r->ls, &r->crash);
  run_unguard(r->ls->dut);
}

static outcome_t run_all(vrun_t *r, vectors_result_t *result, trouble_t *trouble) {
  lockstep_t *ls = r->ls;
  if (!r->in || !r->other || !r->operands) return trouble_memory(trouble), OUTCOME_INFRA;
  if (!judge_operands(r, trouble)) return OUTCOME_BAD_INPUT;
  if (ls->outcome == OUTCOME_PASS) all_cycles(r, result);
  if (ls->outcome == OUTCOME_BAD_INPUT || ls->outcome == OUTCOME_INFRA)
    return trouble_set(trouble, ls->outcome == OUTCOME_INFRA ? TROUBLE_ENVIRONMENT : TROUBLE_INPUT, "%s: %s",
                       ls->dut->block, ls->text),
           ls->outcome;
  if (ls->outcome != OUTCOME_PASS) {
    failure_of(ls, &result->failure);
    result->failure_line = r->v->lines[r->line < r->v->count ? r->line : r->v->count - 1];
    return ls->outcome;
  }
  return result->wrong ? OUTCOME_DIVERGED : OUTCOME_PASS;
}

outcome_t vectors_run(lockstep_t *ls, const stim_t *stim, const vectors_t *v, const char *path, FILE *out,
                      trace_t *trace, vectors_result_t *result, trouble_t *trouble) {
  vrun_t r = {.ls = ls, .stim = stim, .v = v, .path = path, .out = out, .trace = trace};
  memset(result, 0, sizeof *result);
  r.in = calloc(1, ls->dut->in_size + 8);
  r.other = calloc(1, ls->dut->in_size + 8);
  r.operands = calloc(v->width, sizeof *r.operands);
  const outcome_t outcome = run_all(&r, result, trouble);
  free(r.in);
  free(r.other);
  free(r.operands);
  return outcome;
}
