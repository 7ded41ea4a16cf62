/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include "build.h"
#include "cells.h"
#include "judged.h"
#include "port_params.h"
#include "whole.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A recording of more than PLAIN_CYCLES is compressed; LINE_BYTES limits a line. */
enum { PLAIN_CYCLES = 5000, LINE_BYTES = 1 << 20 };
/* Limits the cycles of a file: IDLE_CYCLES, plus CYCLES_A_BYTE for each byte read. */
enum { IDLE_CYCLES = 1 << 24, CYCLES_A_BYTE = 1 << 12 };

/* --- writing */

/* A file being written, with the checksum of its text so far. */
typedef struct {
  gzFile file;
  char folder[REPLAY_PATH]; /* of the file */
  uint32_t crc;
  bool failed;
} writer_t;

static void put_text(writer_t *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_text(writer_t *w, const char *format, ...) {
  char text[8192];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0 || n >= (int)sizeof text || gzwrite(w->file, text, (unsigned)n) != n) w->failed = true;
  else w->crc = (uint32_t)crc32(w->crc, (const Bytef *)text, (unsigned)n);
}

/* Writes the words as one hexadecimal number without leading zeros. */
static void put_hex(writer_t *w, const uint32_t *words, uint32_t size) {
  uint32_t top = size / 4;
  while (top > 1 && !words[top - 1]) top--;
  put_text(w, "%" PRIx32, words[top - 1]);
  for (uint32_t i = top - 1; i-- > 0;) put_text(w, "%08" PRIx32, words[i]);
}

/* Writes one cycle; a cycle without inputs has no line. */
static void put_cycle(writer_t *w, const dut_t *dut, size_t index, const trace_cycle_t *cycle) {
  if (!cycle->in && !cycle->reset) return;
  put_text(w, "@%zu", index);
  if (cycle->reset) put_text(w, " reset");
  for (unsigned i = 0; cycle->in && i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    const uint32_t *words = (const uint32_t *)((const char *)cycle->in + p->offset);
    uint32_t any = 0;
    if (p->dir != DUT_IN) continue;
    for (uint32_t k = 0; k < p->size / 4; k++) any |= words[k];
    if (!any) continue;
    put_text(w, " %s=", p->name);
    put_hex(w, words, p->size);
    const char *label = dut_port_label(dut, p, cycle->in);
    if (label) put_text(w, "(%s)", label);
  }
  put_text(w, "\n");
}

/* Writes every parameter with its value: the port file's defaults may change before the replay. */
static void put_params(writer_t *w, const replay_t *r, const dut_t *dut) {
  char value[64];
  put_text(w, "params");
  for (unsigned i = 0; i < dut->num_params; i++)
    put_text(w, "%c%s=%s", i ? ',' : ' ', dut->params[i].name,
             dut_param_text(&dut->params[i], dut->params[i].value, value));
  put_text(w, dut->num_params ? "\n" : " %s\n", *r->params ? r->params : "-");
}

/* Writes all inputs, also those that stay 0, so that a replay notices when the block's inputs have
 * changed. */
static void put_inputs(writer_t *w, const dut_t *dut) {
  unsigned count = 0;
  put_text(w, "inputs");
  for (unsigned i = 0; i < dut->num_ports; i++)
    if (dut->ports[i].dir == DUT_IN) put_text(w, " %s:%u", dut->ports[i].name, dut->ports[i].width), count++;
  put_text(w, count ? "\n" : " -\n");
}

static void put_path(writer_t *w, const char *key, const char *path) {
  char way[REPLAY_PATH];
  replay_paths_write(w->folder, path, way);
  put_text(w, "%s %s\n", key, way);
}

/* Writes which block it is, and where it lies. */
static void put_block(writer_t *w, const replay_t *r) {
  const bool paths = *r->folder || *r->rtl || (*r->cells && !cells_is_name(r->cells));
  put_text(w, "block %s\n", r->block);
  if (paths) put_text(w, "written %s\n", w->folder);
  if (*r->folder) put_path(w, "folder", r->folder);
  if (*r->rtl) put_path(w, "rtl", r->rtl);
}

/* An assertion's text without the folder of its file: "/home/me/accum.sv:11: Assertion failed". */
static const char *without_folder(const char *text) {
  const char *end = *text == '/' ? strstr(text, ": ") : NULL;
  while (end && end > text && end[-1] != '/') end--;
  return end ? end : text;
}

/* Writes a library by name on one line, or each Liberty file on a line of its own. */
static void put_cells(writer_t *w, const replay_t *r) {
  char path[RTL_LIST];
  if (cells_is_name(r->cells)) put_text(w, "cells %s\n", r->cells);
  for (const char *at = cells_is_name(r->cells) ? "" : r->cells; rtl_next(&at, path, sizeof path);)
    put_path(w, "liberty", path);
}

bool replay_write(const char *path, const replay_t *r, const dut_t *dut, const trace_t *trace, trouble_t *trouble) {
  whole_t whole;
  errno = 0;
  writer_t w = {.file = gzopen(whole_begin(&whole, path), trace->count > PLAIN_CYCLES ? "wb6" : "wbT"),
                .crc = (uint32_t)crc32(0, NULL, 0)};
  if (!w.file)
    return trouble_set(trouble, errno == ENOSPC ? TROUBLE_ENVIRONMENT : TROUBLE_INPUT, "%s: cannot write: %s", path,
                       strerror(errno));
  replay_paths_folder(path, w.folder);
  put_text(&w, "lockstack-replay %d\n", REPLAY_VERSION);
  put_block(&w, r);
  if (*r->dut && strcmp(r->dut, "rtl")) put_text(&w, "dut %s\n", r->dut);
  if (*r->against) put_text(&w, "against %s\n", r->against);
  put_cells(&w, r);
  put_params(&w, r, dut);
  put_text(&w, "seed %" PRIu64 "\nprofile %s\n", r->seed, r->profile);
  if (r->power_up) put_text(&w, "power-up %" PRIu64 "\n", r->power_up);
  put_text(&w, "outcome %s\n", outcome_name(r->outcome));
  if (*r->port) put_text(&w, "port %s\n", r->port);
  if (r->differs) put_text(&w, "differs %016" PRIx64 "\n", r->differs);
  if (*r->text) put_text(&w, "text %s\n", without_folder(r->text));
  put_text(&w, "commit %s\n", *r->commit ? r->commit : "-");
  if (r->content) put_text(&w, "content %016" PRIx64 "\n", r->content);
  put_inputs(&w, dut);
  put_text(&w, "cycles %zu\n", trace->count);
  for (size_t i = 0; i < trace->count; i++) put_cycle(&w, dut, i, &trace->cycles[i]);
  uint32_t crc = w.crc;
  put_text(&w, "end crc32=%08" PRIx32 "\n", crc);
  errno = 0;
  const bool failed = gzclose(w.file) != Z_OK || w.failed;
  int wrong = errno ? errno : ENOSPC;
  if (!failed) wrong = 0;
  wrong = whole_end(&whole, wrong);
  return !wrong || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(wrong));
}

/* --- reading */

typedef struct {
  const char *path;
  const dut_t *dut; /* NULL: read the header alone */
  char folder[REPLAY_PATH];
  gzFile file;
  unsigned line;
  uint32_t crc, before; /* checksum with the current line, and without */
  uint64_t bytes;       /* read so far, decompressed */
  char *text;
  trouble_t *trouble;
} reader_t;

static bool wrong_line(reader_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool wrong_line(reader_t *r, const char *format, ...) {
  char text[700];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: %s", r->path, r->line, text);
}

/* Reads the next line without its newline. False: the file ends or is cut off; the error is set. */
static bool get_line(reader_t *r) {
  int code;
  r->line++;
  if (!gzgets(r->file, r->text, LINE_BYTES)) {
    gzerror(r->file, &code);
    return wrong_line(r, "the file is cut off: its last line is `end crc32=...`");
  }
  size_t n = strlen(r->text);
  r->bytes += n;
  r->before = r->crc;
  r->crc = (uint32_t)crc32(r->crc, (const Bytef *)r->text, (unsigned)n);
  if (!n || r->text[n - 1] != '\n') return wrong_line(r, "the file is cut off in this line");
  r->text[n - 1] = 0;
  return true;
}

static bool copy_word(reader_t *r, const char *value, char *to, size_t size) {
  if (strlen(value) >= size) return wrong_line(r, "too long");
  strcpy(to, value);
  return true;
}

/* Finds what a path leads to. folder: it is the block's. */
static bool get_path(reader_t *r, const replay_t *replay, const char *value, bool folder, char path[REPLAY_PATH]) {
  const char *block = folder && *replay->block ? replay->block : NULL;
  return replay_paths_find(r->folder, replay->written, block, value, path) || wrong_line(r, "too long");
}

static bool add_liberty(reader_t *r, replay_t *replay, const char *value) {
  char path[REPLAY_PATH];
  return get_path(r, replay, value, false, path) &&
         (rtl_add(replay->cells, path) || wrong_line(r, "too many files of cells"));
}

static bool get_number(reader_t *r, const char *value, uint64_t *n) {
  char *end;
  errno = 0;
  *n = strtoull(value, &end, 10);
  return !*value || *end || errno || *value == '-' ? wrong_line(r, "'%s' should be a whole number", value) : true;
}

static bool get_checksum(reader_t *r, const char *value, uint64_t *sum) {
  char *end;
  *sum = strtoull(value, &end, 16);
  return strspn(value, "0123456789abcdef") != 16 || *end || !*sum
             ? wrong_line(r, "'%s' should be a checksum of 16 digits", value)
             : true;
}

static bool get_outcome(reader_t *r, const char *value, outcome_t *outcome) {
  for (int o = OUTCOME_DIVERGED; o <= OUTCOME_STUCK; o++)
    if (o != OUTCOME_STIM_CRASH && strcmp(value, outcome_name((outcome_t)o)) == 0) {
      *outcome = (outcome_t)o;
      return true;
    }
  return wrong_line(r, "'%s' should be DIVERGED, DUT_ASSERT, MODEL_ASSERT, MODEL_CRASH or STUCK", value);
}

/* Checks one "input:width" against the block of today. */
static bool get_input(reader_t *r, char *word, bool *has) {
  char *colon = strchr(word, ':');
  if (!colon) return wrong_line(r, "'%s' should be input:width", word);
  *colon = 0;
  const int port = dut_find_port(r->dut, word, true);
  const unsigned long width = strtoul(colon + 1, NULL, 10);
  if (port < 0)
    return wrong_line(r, "block %s has no input '%s' any more; record the failure again", r->dut->block, word);
  has[port] = true;
  if (r->dut->ports[port].width == width) return true;
  return wrong_line(r, "input '%s' had %lu bits when this was recorded and has %u now; record the failure again", word,
                    width, r->dut->ports[port].width);
}

/* Checks all inputs. An input that is newer than the recording would be 0 in every cycle. */
static bool get_inputs(reader_t *r, char *words) {
  bool has[r->dut->num_ports + 1];
  char *save;
  memset(has, 0, sizeof has);
  if (!strcmp(words, "-")) *words = 0;
  for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
    if (!get_input(r, word, has)) return false;
  for (unsigned i = 0; i < r->dut->num_ports; i++)
    if (r->dut->ports[i].dir == DUT_IN && !has[i])
      return wrong_line(r, "input '%s' came after this was recorded; record the failure again", r->dut->ports[i].name);
  return true;
}

/* Parses one header line. *done: the line was `cycles`, the last one. */
static bool header_line(reader_t *r, replay_t *replay, bool *done) {
  char *space = strchr(r->text, ' ');
  if (!space) return wrong_line(r, "`key value` expected");
  *space = 0;
  const char *key = r->text, *value = space + 1;
  if (!strcmp(key, "block")) return copy_word(r, value, replay->block, sizeof replay->block);
  if (!strcmp(key, "written")) return copy_word(r, value, replay->written, sizeof replay->written);
  if (!strcmp(key, "folder")) return get_path(r, replay, value, true, replay->folder);
  if (!strcmp(key, "rtl")) return get_path(r, replay, value, false, replay->rtl);
  if (!strcmp(key, "dut"))
    return block_kind(value) ? copy_word(r, value, replay->dut, sizeof replay->dut)
                             : wrong_line(r, "dut '%s' should be " BLOCK_KINDS, value);
  if (!strcmp(key, "against"))
    return block_kind(value) ? copy_word(r, value, replay->against, sizeof replay->against)
                             : wrong_line(r, "against '%s' should be " BLOCK_KINDS, value);
  if (!strcmp(key, "cells"))
    return cells_is_name(value) ? copy_word(r, value, replay->cells, sizeof replay->cells)
                                : wrong_line(r, "cells '%s' should be the name of a library", value);
  if (!strcmp(key, "liberty")) return add_liberty(r, replay, value);
  if (!strcmp(key, "params"))
    return copy_word(r, strcmp(value, "-") ? value : "", replay->params, sizeof replay->params);
  if (!strcmp(key, "profile")) return copy_word(r, value, replay->profile, sizeof replay->profile);
  if (!strcmp(key, "port")) return copy_word(r, value, replay->port, sizeof replay->port);
  if (!strcmp(key, "text")) return copy_word(r, value, replay->text, sizeof replay->text);
  if (!strcmp(key, "commit")) return copy_word(r, value, replay->commit, sizeof replay->commit);
  if (!strcmp(key, "differs")) return get_checksum(r, value, &replay->differs);
  if (!strcmp(key, "content")) return get_checksum(r, value, &replay->content);
  if (!strcmp(key, "seed")) return get_number(r, value, &replay->seed);
  if (!strcmp(key, "power-up")) return get_number(r, value, &replay->power_up);
  if (!strcmp(key, "inputs")) return !r->dut || get_inputs(r, space + 1);
  if (!strcmp(key, "outcome")) return get_outcome(r, value, &replay->outcome);
  if (!strcmp(key, "cycles")) {
    *done = true;
    return get_number(r, value, &replay->cycles);
  }
  return wrong_line(r, "unknown key '%s'", key);
}

static bool read_header(reader_t *r, replay_t *replay) {
  bool done = false;
  if (!get_line(r)) return false;
  if (strncmp(r->text, "lockstack-replay ", 17))
    return wrong_line(r, "not a replay file: it starts with `lockstack-replay %d`", REPLAY_VERSION);
  const long version = strtol(r->text + 17, NULL, 10);
  if (version < 1 || version > REPLAY_VERSION)
    return wrong_line(r, "format version %.20s; this program reads versions 1 to %d", r->text + 17, REPLAY_VERSION);
  replay->version = (unsigned)version;
  while (!done)
    if (!get_line(r) || !header_line(r, replay, &done)) return false;
  if (!*replay->block && !*replay->folder) return wrong_line(r, "no `block` or `folder` line");
  if (!replay->cycles || replay->cycles > 1ull << 32) return wrong_line(r, "a recording has 1 to 4294967296 cycles");
  return replay->outcome ? true : wrong_line(r, "no `outcome` line");
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses a hexadecimal value into the words of a port. Rejects digits above the port's width. */
static bool get_hex(reader_t *r, const dut_port_t *port, const char *value, uint32_t *words) {
  size_t n = strlen(value);
  for (size_t i = 0; i < n; i++) {
    int digit = hex_digit(value[n - 1 - i]);
    if (digit < 0) return wrong_line(r, "%s: '%s' is not hexadecimal", port->name, value);
    uint64_t width = port->width > 4 * i ? port->width - 4 * i : 0;
    if (digit && (width < 4 ? digit >> width : 0))
      return wrong_line(r, "%s: '%s' is over %u bits", port->name, value, port->width);
    if (width) words[i / 8] |= (uint32_t)digit << i % 8 * 4;
  }
  return n ? true : wrong_line(r, "%s: a value is missing", port->name);
}

/* Takes the label off "1(BUSY)". It must still be that value's. */
static bool take_label(reader_t *r, const dut_port_t *port, char *value, char **label) {
  const size_t n = strlen(value);
  *label = strchr(value, '(');
  if (!*label) return true;
  if (value[n - 1] != ')')
    return wrong_line(r, "%s=%s: should be a value, or a value and its (label)", port->name, value);
  value[n - 1] = 0, *(*label)++ = 0;
  return true;
}

static bool same_label(reader_t *r, const dut_t *dut, const dut_port_t *port, const char *label, const void *in) {
  const char *now = dut_port_label(dut, port, in);
  return !label || (now && strcmp(now, label) == 0) ||
         wrong_line(r, "%s: the value that was %s is %s now; record the failure again", port->name, label,
                    now ? now : "without a label");
}

/* Parses "port=value ..." into X_in_t. */
static bool get_fields(reader_t *r, const dut_t *dut, char *text, void *in) {
  char *save;
  for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    char *value = strchr(word, '=');
    if (!value) return wrong_line(r, "'%s' should be port=value", word);
    *value++ = 0;
    int port = dut_find_port(dut, word, true);
    if (port < 0) return wrong_line(r, "block %s has no input '%s'", dut->block, word);
    const dut_port_t *p = &dut->ports[port];
    char *label;
    if (!take_label(r, p, value, &label) || !get_hex(r, p, value, (uint32_t *)((char *)in + p->offset)) ||
        !same_label(r, dut, p, label, in))
      return false;
  }
  return true;
}

/* Limits the cycles by the bytes read. Cycles without inputs take no bytes, so a tiny file could
 * otherwise fill the memory. */
static bool too_many(reader_t *r, uint64_t cycles) {
  uint64_t most = IDLE_CYCLES + r->bytes * CYCLES_A_BYTE;
  if (cycles <= most) return false;
  return !wrong_line(r, "%" PRIu64 " cycles in %" PRIu64 " bytes: at most %" PRIu64 " can be", cycles, r->bytes, most);
}

/* Parses a line "@N ...". Cycles before N that have no line are idle. */
static bool get_cycle(reader_t *r, const replay_t *replay, const dut_t *dut, trace_t *trace, uint64_t *in) {
  char *rest;
  uint64_t at = strtoull(r->text + 1, &rest, 10);
  if (rest == r->text + 1 || (*rest && *rest != ' ')) return wrong_line(r, "`@cycle ...` expected");
  if (at < trace->count || at >= replay->cycles)
    return wrong_line(r, "cycle %" PRIu64 " is out of order or past the end", at);
  if (too_many(r, at)) return false;
  memset(in, 0, dut->in_size);
  while (trace->count < at)
    if (!trace_add(trace, in)) return wrong_line(r, "out of memory");
  const bool reset = strncmp(rest, " reset", 6) == 0 && (!rest[6] || rest[6] == ' ');
  if (!get_fields(r, dut, reset ? rest + 6 : rest, in)) return false;
  return (reset ? trace_add_reset(trace, in) : trace_add(trace, in)) || wrong_line(r, "out of memory");
}

/* Reads all cycles, then adds the idle ones behind the last line. */
static bool read_body(reader_t *r, const replay_t *replay, const dut_t *dut, trace_t *trace) {
  uint64_t *in = calloc(1, dut->in_size + 8);
  bool ok = in || wrong_line(r, "out of memory");
  while (ok && (ok = get_line(r)) && *r->text == '@') ok = get_cycle(r, replay, dut, trace, in);
  if (ok) ok = !too_many(r, replay->cycles);
  if (ok) memset(in, 0, dut->in_size);
  while (ok && trace->count < replay->cycles)
    ok = trace_add(trace, in) || wrong_line(r, "out of memory for %" PRIu64 " cycles", replay->cycles);
  free(in);
  return ok;
}

static bool skip_body(reader_t *r) {
  bool ok;
  while ((ok = get_line(r)) && *r->text == '@') continue;
  return ok;
}

/* The last line must hold the checksum of all lines before. */
static bool check_end(reader_t *r) {
  unsigned long crc;
  char *end;
  if (strncmp(r->text, "end crc32=", 10)) return wrong_line(r, "`@cycle ...` or `end crc32=...` expected");
  crc = strtoul(r->text + 10, &end, 16);
  if (*end || crc != r->before) return wrong_line(r, "the checksum is wrong: the file was damaged or edited");
  return true;
}

bool replay_read(const char *path, replay_t *replay, const dut_t *dut, trace_t *trace, trouble_t *trouble) {
  reader_t r = {.path = path, .dut = dut, .crc = (uint32_t)crc32(0, NULL, 0), .trouble = trouble};
  memset(replay, 0, sizeof *replay);
  errno = 0;
  judged_file(path);
  replay_paths_folder(path, r.folder);
  r.file = gzopen(path, "rb");
  r.text = malloc(LINE_BYTES);
  if (!r.file || !r.text) {
    trouble_set(trouble, r.text ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, "%s: %s", path,
                errno ? strerror(errno) : "out of memory");
    if (r.file) gzclose(r.file);
    free(r.text);
    return false;
  }
  bool ok = read_header(&r, replay) && (dut ? read_body(&r, replay, dut, trace) : skip_body(&r)) && check_end(&r);
  gzclose(r.file);
  free(r.text);
  return ok;
}

const char *replay_kind(const replay_t *r) {
  return *r->dut ? r->dut : "rtl";
}

/* STUCK compares the outcome alone: a watchdog has no port. */
bool replay_same(const replay_t *r, const dut_t *dut, const char *kind, const failure_t *failure) {
  const bool known = r->differs && strcmp(kind, replay_kind(r)) == 0;
  failure_t recorded = {.outcome = r->outcome, .port = -1, .differs = known ? r->differs : failure->differs};
  if (r->outcome == OUTCOME_STUCK) return failure->outcome == r->outcome;
  if (*r->port) recorded.port = dut_find_port(dut, r->port, false);
  failure_t now = *failure;
  snprintf(now.text, sizeof now.text, "%s", without_folder(failure->text));
  snprintf(recorded.text, sizeof recorded.text, "%s", without_folder(r->text));
  return failure_same(&now, &recorded);
}

/* The recorded folders must be there. */
static bool judge_folders(const replay_t *r, trouble_t *trouble) {
  if (*r->folder && access(r->folder, F_OK))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s: no such folder, and the recorded block lay there; --folder DIR would be right", r->folder);
  if (*r->rtl && access(r->rtl, F_OK))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s: no such folder, and the recording is of its RTL; --rtl DIR would be right", r->rtl);
  return true;
}

static bool judge_name(const replay_t *r, const block_t *block, trouble_t *trouble) {
  return !*r->block || !strcmp(r->block, block->name) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: has block %s, and the recording is of block %s", block->ports,
                     block->name, r->block);
}

bool replay_block(const replay_t *r, const places_t *places, block_t *block, trouble_t *trouble) {
  if (!judge_folders(r, trouble) || !block_find(block, places, *r->folder ? r->folder : r->block, r->params, trouble) ||
      !judge_name(r, block, trouble))
    return false;
  snprintf(block->cells, sizeof block->cells, "%s", r->cells);
  return (!*r->rtl || block_instead(block, r->rtl, trouble)) &&
         port_params(places->source, block->ports, r->params, PORT_PARAMS_CHANGED, block->params, sizeof block->params,
                     trouble);
}
