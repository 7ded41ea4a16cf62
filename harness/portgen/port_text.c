/* SPDX-License-Identifier: Apache-2.0 */
#include "port_text.h"
#include "port_expr.h"
#include "port_macro.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MOST = 64, CONDITIONS_MOST = 64, BYTES_MOST = 1 << 24 };

/* A file or a macro's body that is being read, with its open conditions. */
typedef struct {
  port_source_t at;
  struct {
    bool now, any; /* the branch is read; some branch was read */
    bool last;     /* after #else */
    unsigned line;
  } conditions[CONDITIONS_MOST];
  unsigned num_conditions;
} source_t;

static bool read_source(port_text_t *text, source_t *s);

bool port_text_bad(port_text_t *text, const char *file, unsigned line, const char *format, ...) {
  char what[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  trouble_fail(&text->trouble, TROUBLE_INPUT, "%s:%u: %s", file, line, what);
  return false;
}

#define BAD(text, s, ...) port_text_bad(text, (s)->at.file, (s)->at.line, __VA_ARGS__)

port_entry_t *port_text_end(const port_text_t *text) {
  return text->entries ? text->entries + text->num_entries : NULL;
}

const port_kind_t *port_text_kind(const port_text_t *text, const char *name, size_t length) {
  for (const port_kind_t *kind = text->kinds; kind; kind = kind->next)
    if (strncmp(kind->name, name, length) == 0 && !kind->name[length]) return kind;
  return NULL;
}

const char *port_entry_field(const port_entry_t *entry, const char *field, size_t length) {
  for (unsigned i = 0; i < entry->kind->num_fields; i++)
    if (strncmp(entry->kind->fields[i], field, length) == 0 && !entry->kind->fields[i][length]) return entry->args[i];
  return NULL;
}

bool port_entry_is(const port_entry_t *entry, const char *kind) {
  return strcmp(entry->kind->name, kind) == 0;
}

/* ---- entries */

/* CLOCK_none is the kind of CLOCK(none): a word of the language in the place of a name. */
static bool is_word_kind(const port_kind_t *kind) {
  const char *end = strrchr(kind->name, '_');
  return end && islower((unsigned char)end[1]);
}

/* Letters of the kind's name as a file has it: RESET for RESET_none. */
static int shown_length(const port_kind_t *kind) {
  return (int)(is_word_kind(kind) ? (size_t)(strrchr(kind->name, '_') - kind->name) : strlen(kind->name));
}

/* The kind of an entry with this first argument: of RESET(none, 3) RESET_none, if there is one. */
static const port_kind_t *kind_for_word(const port_text_t *text, const port_kind_t *kind, const char *word) {
  char name[64];
  if (!islower((unsigned char)*word)) return kind;
  const int n = snprintf(name, sizeof name, "%s_%s", kind->name, word);
  const port_kind_t *found = n > 0 && (size_t)n < sizeof name ? port_text_kind(text, name, (size_t)n) : NULL;
  return found ? found : kind;
}

/* Rejects an entry with too few or too many arguments, and shows the arguments that its
 * kind takes. */
static bool check_count(port_text_t *text, const source_t *s, const port_kind_t *kind, unsigned line, unsigned num) {
  char fields[256] = "";
  size_t n = 0;
  if (num == kind->num_fields || (num > kind->num_fields && kind->rest)) return true;
  for (unsigned i = 0; i < kind->num_fields && n < sizeof fields; i++)
    n += (size_t)snprintf(fields + n, sizeof fields - n, "%s%s", i ? ", " : "", kind->fields[i]);
  return port_text_bad(text, s->at.file, line, "%s takes %u arguments, %.*s(%s%s); here are %u: a comma may be %s",
                       is_word_kind(kind) ? "this entry" : kind->name, kind->num_fields, shown_length(kind), kind->name,
                       fields, kind->rest ? ", ..." : "", num, num < kind->num_fields ? "missing" : "too many");
}

/* Reads one entry. Its arguments are expanded at the line where the entry begins. */
static bool read_entry(port_text_t *text, source_t *s, const port_kind_t *kind, unsigned line) {
  port_entry_t e = {.kind = kind, .file = s->at.file, .line = line};
  if (*s->at.p != '(') return BAD(text, s, "%s should be followed by its arguments: %s(...)", kind->name, kind->name);
  if (!port_args(text, &s->at, kind->name, &e.args, &e.num_args)) return false;
  port_source_t at = s->at;
  at.line = line;
  for (unsigned i = 0; i < e.num_args; i++)
    if (!(e.args[i] = port_macro_expand(text, &at, e.args[i]))) return false;
  if (e.num_args) e.kind = kind_for_word(text, kind, e.args[0]);
  if (!check_count(text, s, e.kind, line, e.num_args)) return false;
  if (text->num_entries == text->room) {
    text->room = 2 * text->room + 64;
    port_entry_t *more = port_take(&text->arena, text->room * sizeof *more);
    if (text->num_entries) memcpy(more, text->entries, text->num_entries * sizeof *more);
    text->entries = more;
  }
  text->entries[text->num_entries++] = e;
  return true;
}

/* Expands a macro in the place of an entry. Its body is read like text at that place. */
static bool read_made_entry(port_text_t *text, source_t *s, const port_macro_t *m) {
  const char **args = NULL;
  unsigned num_args = 0;
  if (m->function && *s->at.p != '(')
    return BAD(text, s, "%s should be followed by its arguments: %s(...)", m->name, m->name);
  if (m->function && !port_args(text, &s->at, m->name, &args, &num_args)) return false;
  source_t *inner = port_take(&text->arena, sizeof *inner);
  inner->at = s->at;
  inner->at.fixed = true;
  inner->at.p = port_macro_body(text, m, &s->at, args, num_args);
  return inner->at.p && read_source(text, inner);
}

/* Sets the error for a word that is no kind of entry, and lists the kinds. */
static bool refuse_unknown(port_text_t *text, const source_t *s, const char *word, size_t n) {
  char kinds[1024] = "";
  size_t used = 0;
  for (const port_kind_t *kind = text->kinds; kind && used < sizeof kinds; kind = kind->next)
    if (!is_word_kind(kind))
      used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%s", used ? ", " : "", kind->name);
  if (!n) n = 1;
  return BAD(text, s, "`%.*s` is not a port-file entry; one of %s", (int)(n < 60 ? n : 60), word, kinds);
}

/* An item is an entry of a known kind, or the use of a macro. */
static bool read_item(port_text_t *text, source_t *s) {
  const char *word = s->at.p;
  const size_t n = port_word(word);
  const unsigned line = s->at.line;
  const port_kind_t *kind = n ? port_text_kind(text, word, n) : NULL;
  const port_macro_t *m = n ? port_macro_find(text, word, n) : NULL;
  if (!kind && !m) return refuse_unknown(text, s, word, n);
  s->at.p += n;
  s->at.begins = false;
  if ((kind || m->function) && !port_blank(text, &s->at)) return false;
  return m ? read_made_entry(text, s, m) : read_entry(text, s, kind, line);
}

/* ---- directives */

static void add_blank(port_buffer_t *line) {
  if (line->size && line->at[line->size - 1] != ' ') port_add(line, " ", 1);
}

/* True at a blank, a comment, or a joined line end. */
static bool is_blank_at(const char *p) {
  return isspace((unsigned char)*p) || (p[0] == '/' && (p[1] == '/' || p[1] == '*')) ||
         (p[0] == '\\' && isspace((unsigned char)p[1]));
}

/* The rest of the line. Comments, joined lines and runs of blanks become one blank. NULL: error. */
static char *rest_of_line(port_text_t *text, source_t *s) {
  port_buffer_t line = {0};
  s->at.begins = false;
  port_add(&line, "", 0);
  while (*s->at.p && *s->at.p != '\n' && !s->at.begins) {
    const char *before = s->at.p;
    if (is_blank_at(before)) add_blank(&line);
    if (!port_blank(text, &s->at)) return free(line.at), NULL;
    if (s->at.p != before) continue;
    size_t n = port_token(before);
    if (memchr(before, '\n', n)) n = 1; /* a quote without a partner */
    port_add(&line, before, n);
    s->at.p += n;
  }
  if (line.size && line.at[line.size - 1] == ' ') line.at[--line.size] = 0;
  return port_keep(&text->arena, &line);
}

/* The included file is looked for beside the including one, then in text->folders. */
static bool include_file(port_text_t *text, source_t *s, const char *line) {
  const size_t n = *line == '"' ? strcspn(line + 1, "\"") : 0;
  if (!n || line[n + 1] != '"')
    return BAD(text, s, "#include should be followed by a file in quotes: #include \"file\"");
  const char *slash = strrchr(s->at.file, '/');
  char *path =
      port_format(&text->arena, "%.*s%.*s", slash ? (int)(slash + 1 - s->at.file) : 0, s->at.file, (int)n, line + 1);
  for (int i = 0; i < PORT_INCLUDES && text->folders[i] && access(path, R_OK); i++)
    path = port_format(&text->arena, "%s/%.*s", text->folders[i], (int)n, line + 1);
  if (access(path, R_OK)) return BAD(text, s, "%.*s: no such file beside this one", (int)n, line + 1);
  return port_text_read(text, path, text->declares);
}

/* Name lookup of #if: every name that is not a macro is an error, so ports cannot depend on
 * parameters. */
static bool refuse_name(void *context, const char *name, size_t length, long long *value, trouble_t *trouble) {
  (void)context, (void)value;
  return trouble_set(trouble, TROUBLE_INPUT,
                     "#if: %.*s is not a number; the ports of a block are the same whatever its parameters are",
                     (int)length, name);
}

/* Replaces defined(X) in an #if by 0 or 1. */
static char *defined_words(port_text_t *text, const char *line) {
  port_buffer_t to = {0};
  port_add(&to, "", 0);
  while (*line) {
    size_t n = port_word(line);
    const bool is = n == 7 && strncmp(line, "defined", n) == 0;
    if (!is) port_add(&to, line, n ? n : 1);
    line += n ? n : 1;
    if (!is) continue;
    line += strspn(line, " (");
    n = port_word(line);
    port_add_text(&to, port_macro_find(text, line, n) || port_text_kind(text, line, n) ? "1" : "0");
    line += n;
    line += strspn(line, " ") + (line[strspn(line, " ")] == ')');
  }
  return port_keep(&text->arena, &to);
}

/* Evaluates #if, #ifdef, #ifndef or #elif into *holds. */
static bool eval_condition(port_text_t *text, source_t *s, const char *word, const char *line, bool *holds) {
  trouble_t trouble = {0};
  long long value = 0;
  const size_t n = port_word(line);
  if (strncmp(word, "ifdef", 5) == 0 || strncmp(word, "ifndef", 6) == 0) {
    if (!n) return BAD(text, s, "#ifdef and #ifndef should be followed by a name");
    const bool known = port_macro_find(text, line, n) || (port_text_kind(text, line, n) && !text->declares);
    *holds = known == (word[2] == 'd');
    return true;
  }
  char *expanded = port_macro_expand(text, &s->at, defined_words(text, line));
  if (!expanded) return false;
  if (!port_expr(expanded, refuse_name, NULL, &value, &trouble)) return BAD(text, s, "%s", trouble.text);
  *holds = value != 0;
  return true;
}

/* True if no open condition hides this text. */
static bool is_reading(const source_t *s) {
  for (unsigned i = 0; i < s->num_conditions; i++)
    if (!s->conditions[i].now) return false;
  return true;
}

/* Opens a condition. Inside of hidden text the expression is not evaluated. */
static bool open_condition(port_text_t *text, source_t *s, const char *word, const char *line) {
  bool holds = false;
  if (s->num_conditions == CONDITIONS_MOST)
    return BAD(text, s, "more than %d conditions inside of each other", CONDITIONS_MOST);
  if (is_reading(s) && !eval_condition(text, s, word, line, &holds)) return false;
  s->conditions[s->num_conditions].now = s->conditions[s->num_conditions].any = holds;
  s->conditions[s->num_conditions].last = false;
  s->conditions[s->num_conditions++].line = s->at.line;
  return true;
}

/* #elif and #else: at most one branch of a condition is read. */
static bool other_branch(port_text_t *text, source_t *s, const char *line, bool last) {
  const unsigned i = s->num_conditions - 1;
  bool holds = last;
  if (!s->num_conditions) return BAD(text, s, "#%s without an #if before it", last ? "else" : "elif");
  if (s->conditions[i].last) return BAD(text, s, "#%s after #else", last ? "else" : "elif");
  s->conditions[i].now = true; /* so that is_reading() tells about the outer conditions alone */
  if (!last && !s->conditions[i].any && is_reading(s) && !eval_condition(text, s, "if", line, &holds)) return false;
  s->conditions[i].now = holds && !s->conditions[i].any;
  s->conditions[i].any |= holds;
  s->conditions[i].last = last;
  return true;
}

/* #endif closes the innermost condition. */
static bool end_condition(port_text_t *text, source_t *s) {
  if (!s->num_conditions) return BAD(text, s, "#endif without an #if before it");
  s->num_conditions--;
  return true;
}

/* Runs one directive. In hidden text only conditions count. */
static bool read_directive(port_text_t *text, source_t *s) {
  s->at.p += 1 + strspn(s->at.p + 1, " \t");
  const char *word = s->at.p;
  const size_t n = port_word(word);
  s->at.p += n + strspn(s->at.p + n, " \t");
  source_t at = *s;
  const char *line = rest_of_line(text, s);
  if (!line) return false;
#define IS(name) (n == sizeof(name) - 1 && strncmp(word, name, n) == 0)
  if (IS("if") || IS("ifdef") || IS("ifndef")) return open_condition(text, s, word, line);
  if (IS("elif") || IS("else")) return other_branch(text, s, line, IS("else"));
  if (IS("endif")) return end_condition(text, s);
  if (!is_reading(s)) return true;
  if (IS("define")) return port_macro_define(text, &at.at, line);
  if (IS("undef")) return port_macro_undef(text, &at.at, line);
  if (IS("include")) return include_file(text, &at, line);
  if (IS("error")) return BAD(text, &at, "#error %.200s", line);
#undef IS
  return BAD(
      text, &at,
      "#%.*s is no directive of a port file; one of define, undef, include, if, ifdef, ifndef, elif, else, endif, "
      "error",
      (int)(n < 40 ? n : 40), word);
}

/* ---- texts */

static bool skip_one(source_t *s) {
  s->at.begins = false;
  s->at.p++;
  return true;
}

/* Reads directives and items up to the end of a file or body. A '#' is a directive only at the
 * start of a line, and never in a macro's body. */
static bool read_source(port_text_t *text, source_t *s) {
  text->expansions++;
  bool ok = text->depth++ < DEPTH_MOST || BAD(text, s, "files or macros are nested too deeply");
  while (ok) {
    ok = port_blank(text, &s->at);
    if (!ok || !*s->at.p) break;
    if (*s->at.p == '#' && s->at.begins && !s->at.fixed) ok = read_directive(text, s);
    else ok = is_reading(s) ? read_item(text, s) : skip_one(s);
  }
  text->depth--;
  if (ok && s->num_conditions)
    return port_text_bad(text, s->at.file, s->conditions[s->num_conditions - 1].line,
                         "the condition that begins here has no #endif");
  return ok;
}

bool port_text_parse(port_text_t *text, const char *path, const char *bytes, bool declares) {
  source_t *s = port_take(&text->arena, sizeof *s);
  const bool before = text->declares;
  s->at = (port_source_t){.p = bytes, .file = port_copy(&text->arena, path, strlen(path)), .line = 1, .begins = true};
  text->declares = declares;
  const bool ok = read_source(text, s);
  text->declares = before;
  return ok;
}

/* Why a file was not read: what the system says, its size, or its kind. */
static const char *why_not_read(const struct stat *info) {
  if (errno) return strerror(errno);
  return S_ISREG(info->st_mode) ? "more than 16 MB are read with it" : "should be a file";
}

/* The content of a regular file; pipes and devices might never end. NULL: error. */
static char *whole_file(port_text_t *text, const char *path, size_t *size) {
  struct stat info;
  char *bytes = NULL;
  errno = 0;
  if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && (size_t)info.st_size <= BYTES_MOST - text->bytes)
    bytes = port_read_text(path, size);
  if (!bytes) trouble_fail(&text->trouble, TROUBLE_INPUT, "%s: %s", path, why_not_read(&info));
  text->bytes += bytes ? *size : 0;
  return bytes;
}

bool port_text_read(port_text_t *text, const char *path, bool declares) {
  size_t size = 0;
  char *bytes = whole_file(text, path, &size);
  if (!bytes) return false;
  const char *kept = port_copy(&text->arena, bytes, size);
  free(bytes);
  if (strlen(kept) < size) {
    unsigned line = 1;
    for (const char *p = kept; *p; p++) line += *p == '\n';
    return port_text_bad(text, path, line, "a byte 0 is in it; a port file should be text");
  }
  return port_text_parse(text, path, kept, declares);
}

void port_text_free(port_text_t *text) {
  port_release(&text->arena);
  *text = (port_text_t){0};
}
