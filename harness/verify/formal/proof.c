/* SPDX-License-Identifier: Apache-2.0
 *
 * A description has one statement a line: a keyword and its words. A `#` starts a comment. Lines
 * `- ` and `+ ` belong to the `broken` line above them:
 *
 *   params   NumReq=4 Bound=0
 *   property NAME pdr | induction CYCLES | bmc CYCLES  [conditions]
 *   cover    NAME CYCLES  [conditions]
 *   broken   NAME PROPERTY,... FILE  [conditions]
 *   - text of the RTL
 *   + text that replaces it
 */
#include "proof.h"
#include "port_file.h"

#include "judged.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  proof_t *proof;
  unsigned line;
  trouble_t *trouble;
} reader_t;

/* Sets trouble to "FILE:LINE: what is wrong" and returns false. */
static bool bad(const reader_t *r, const char *format, ...) {
  char what[2 * PROOF_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: %s", r->proof->path, r->line, what);
}

const char *method_name(method_t method) {
  static const char *const names[] = {"pdr", "induction", "bmc", "cover"};
  return names[method];
}

const claim_t *proof_claim(const proof_t *proof, const char *name) {
  for (unsigned i = 0; i < proof->num_claims; i++)
    if (strcmp(proof->claims[i].name, name) == 0) return &proof->claims[i];
  return NULL;
}

/* Refuses a text that does not fit into `size` characters; a cut name would mean another claim. */
static bool copy_word(const reader_t *r, char *to, size_t size, const char *from) {
  if (strlen(from) < size) return strcpy(to, from);
  return bad(r, "'%.40s...' should have less than %zu characters", from, size);
}

/* ---- parameters and conditions on them */

/* `name` need not end after `length` characters: it may go on with "=4". */
static const param_t *find_default(const proof_t *proof, const char *name, size_t length) {
  for (unsigned i = 0; i < proof->num_defaults; i++)
    if (strncmp(proof->defaults[i].name, name, length) == 0 && !proof->defaults[i].name[length])
      return &proof->defaults[i];
  return NULL;
}

/* Word i of the values of a text; NULL: there are fewer. */
static const char *value_word(const param_t *param, long i, size_t *length) {
  for (const char *at = param->values;; at += *length, i--) {
    at += strspn(at, " ");
    *length = strcspn(at, " ");
    if (!*length || i < 0) return NULL;
    if (!i) return at;
  }
}

/* The number of a value, which ends at a blank; of a text its place, -1: it is none. */
static long value_number(const param_t *param, const char *text) {
  const size_t n = strcspn(text, " ");
  if (!param || !*param->values) return strtol(text, NULL, 0);
  size_t length;
  const char *word;
  for (long i = 0; (word = value_word(param, i, &length)); i++)
    if (length == n && strncmp(word, text, n) == 0) return i;
  return -1;
}

const char *proof_value_text(const param_t *param, long value, char text[PROOF_NAME]) {
  size_t length;
  const char *word = *param->values ? value_word(param, value, &length) : NULL;
  if (word) snprintf(text, PROOF_NAME, "\"%.*s\"", (int)length, word);
  else snprintf(text, PROOF_NAME, "%ld", value);
  return text;
}

/* The value of a parameter: as params says, else as the port file says; 0 when neither knows it. */
static long param_value_in(const proof_t *proof, const char *params, const char *name, size_t length) {
  const param_t *param = find_default(proof, name, length);
  for (const char *p = params; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (strncmp(p, name, length) == 0 && p[length] == '=') return value_number(param, p + length + 1);
  return param ? param->value : 0;
}

long proof_value(const proof_t *proof, const char *params, const param_t *param) {
  return param_value_in(proof, params, param->name, strlen(param->name));
}

/* relation is '=', '<' or '>'. */
static bool holds_relation(long value, char relation, long limit) {
  if (relation == '=') return value == limit;
  return relation == '<' ? value < limit : value > limit;
}

bool proof_applies(const proof_t *proof, const char *only, const char *params) {
  for (const char *p = only; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
    size_t length = strcspn(p, "=<>");
    long value = param_value_in(proof, params, p, length),
         limit = value_number(find_default(proof, p, length), p + length + 1);
    if (!holds_relation(value, p[length], limit)) return false;
  }
  return true;
}

/* Checks "NumReq=4", or a condition such as "NumReq>1": the block has the parameter, and a set
 * value is in its range. relations lists the characters that are allowed here. */
static bool check_setting(const proof_t *proof, const char *text, const char *relations, trouble_t *trouble) {
  size_t length = strcspn(text, "=<>");
  char *end = "?";
  const param_t *choice = length && text[length] == '=' ? find_default(proof, text, length) : NULL;
  long value = text[length] ? strtol(text + length + 1, &end, 0) : 0;
  if (choice && *choice->values && strchr(relations, '=')) {
    if (value_number(choice, text + length + 1) >= 0) return true;
    return trouble_set(trouble, TROUBLE_INPUT, "%s: one of %s", text, choice->values);
  }
  if (!length || !text[length] || !strchr(relations, text[length]) || !text[length + 1] || *end)
    return trouble_set(trouble, TROUBLE_INPUT, "'%s' should be Param%sNumber", text, relations[1] ? "=, < or >" : "=");
  const param_t *param = find_default(proof, text, length);
  if (!param) {
    char names[PROOF_TEXT] = "";
    for (unsigned i = 0; i < proof->num_defaults; i++)
      snprintf(names + strlen(names), sizeof names - strlen(names), " %s", proof->defaults[i].name);
    return trouble_set(trouble, TROUBLE_INPUT, "%s has no parameter %.*s; it has:%s", proof->block, (int)length, text,
                       names);
  }
  if (text[length] != '=' || !param->bounded || (value >= param->least && value <= param->most)) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "%s = %ld: from %ld to %ld", param->name, value, param->least,
                     param->most);
}

/* Does `settings` set the parameter of `word` ("NumReq=4") already? */
static bool is_set(const char *settings, const char *word) {
  const size_t length = strcspn(word, "=") + 1;
  for (const char *p = settings; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (strncmp(p, word, length) == 0) return true;
  return false;
}

/* Joins the remaining words of a line with single blanks. Each must be a setting or a condition.
 * Only conditions may name a parameter twice (Depth>1 Depth<9). */
static bool take_settings(const reader_t *r, char *to, const char *relations, char **words) {
  *to = 0;
  for (char *word; (word = strtok_r(NULL, " \t", words));) {
    trouble_t why;
    if (!check_setting(r->proof, word, relations, &why)) return bad(r, "%s", why.text);
    if (!relations[1] && is_set(to, word)) return bad(r, "%.*s is set twice", (int)strcspn(word, "="), word);
    if (strlen(to) + strlen(word) + 2 > PROOF_TEXT) return bad(r, "too many parameters");
    if (*to) strcat(to, " ");
    strcat(to, word);
  }
  return true;
}

bool proof_set(proof_t *proof, const char *setting, trouble_t *trouble) {
  char first[PROOF_TEXT], *words = first, changed[PROOF_TEXT] = "";
  size_t length = strcspn(setting, "=");
  if (!check_setting(proof, setting, "=", trouble)) return false;
  strcpy(first, proof->params[0]);
  for (char *word; (word = strtok_r(words, " ", &words));)
    if (strncmp(word, setting, length + 1) != 0) strcat(strcat(changed, word), " ");
  if (strlen(changed) + strlen(setting) >= PROOF_TEXT)
    return trouble_set(trouble, TROUBLE_INPUT, "too many parameters");
  strcpy(proof->params[0], strcat(changed, setting));
  proof->num_params = 1;
  return true;
}

/* ---- the port file's parameters */

/* A field of PARAM as a number; **end is not 0 when the field is an expression. */
static long read_number_field(const port_entry_t *e, const char *name, char **end) {
  return strtol(port_entry_field(e, name, strlen(name)), end, 0);
}

/* Adds an entry PARAM or PARAM_TEXT to the defaults. False: too many, or the name is too long. */
static bool take_param(proof_t *proof, const port_entry_t *e) {
  char *ends[2];
  const bool text = port_entry_is(e, "PARAM_TEXT");
  if (!port_entry_is(e, "PARAM") && !text) return true;
  if (proof->num_defaults == PROOF_MOST || strlen(e->args[0]) >= PROOF_NAME) return false;
  param_t *p = &proof->defaults[proof->num_defaults++];
  strcpy(p->name, e->args[0]);
  p->value = strtol(e->number, NULL, 10);
  *p->values = 0, p->bounded = false;
  if (text) {
    const char *values = port_entry_field(e, "values", 6);
    snprintf(p->values, sizeof p->values, "%.*s", (int)strlen(values) - 2, values + 1);
    return true;
  }
  p->least = read_number_field(e, "least", &ends[0]), p->most = read_number_field(e, "most", &ends[1]);
  p->bounded = !*ends[0] && !*ends[1];
  return true;
}

bool proof_read_ports(proof_t *proof, const char *root, const char *path, trouble_t *trouble) {
  port_tree_t tree;
  port_file_t file = {0};
  proof->num_defaults = 0;
  judged_file(path);
  bool ok = port_tree_read(&tree, root, trouble) && port_file_read(&file, &tree, path, NULL, 0, trouble);
  for (unsigned i = 0; ok && i < file.text.num_entries; i++)
    ok =
        take_param(proof, &file.text.entries[i]) ||
        trouble_set(trouble, TROUBLE_INPUT, "%s: a block has at most %d parameters, with names of less than %d letters",
                    path, PROOF_MOST, PROOF_NAME);
  port_file_free(&file), port_tree_free(&tree);
  return ok;
}

/* ---- the lines */

/* A depth is 1 to 100000 cycles. */
static bool take_depth(const reader_t *r, claim_t *claim, char **words) {
  const char *word = strtok_r(NULL, " \t", words);
  char *end = "?";
  unsigned long depth = word ? strtoul(word, &end, 10) : 0;
  if (!depth || *end || depth > 100000)
    return bad(r, "%s should be followed by a number of cycles", method_name(claim->method));
  claim->depth = (unsigned)depth;
  return true;
}

/* `property NAME METHOD [CYCLES] [conditions]`, or `cover NAME CYCLES [conditions]`. */
static bool take_claim(reader_t *r, bool cover, char **words) {
  proof_t *proof = r->proof;
  const char *name = strtok_r(NULL, " \t", words), *method = cover ? "cover" : NULL;
  if (!cover && name) method = strtok_r(NULL, " \t", words);
  if (!name || !method)
    return bad(r, "should be `property NAME pdr`, `property NAME induction|bmc CYCLES` or `cover NAME CYCLES`");
  if (proof->num_claims == PROOF_MOST) return bad(r, "more than %d properties and covers", PROOF_MOST);
  if (proof_claim(proof, name)) return bad(r, "%s is there twice", name);
  claim_t *claim = &proof->claims[proof->num_claims++];
  int found = -1;
  for (int m = METHOD_PDR; m <= METHOD_COVER; m++)
    if (strcmp(method, method_name((method_t)m)) == 0 && (m == METHOD_COVER) == cover) found = m;
  if (found < 0) return bad(r, "method '%s' should be pdr, induction or bmc", method);
  claim->method = (method_t)found;
  return copy_word(r, claim->name, sizeof claim->name, name) && (found == METHOD_PDR || take_depth(r, claim, words)) &&
         take_settings(r, claim->only, "=<>", words);
}

/* Adds a copy of `like` for this property, which must be above this line and no cover. */
static bool take_refuted(reader_t *r, const char *property, const broken_t *like) {
  proof_t *proof = r->proof;
  const claim_t *claim = proof_claim(proof, property);
  if (proof->num_broken == PROOF_MOST) return bad(r, "more than %d broken copies", PROOF_MOST);
  if (!claim || claim->method == METHOD_COVER) return bad(r, "no property '%s' above this line", property);
  broken_t *broken = &proof->broken[proof->num_broken++];
  *broken = *like;
  return copy_word(r, broken->property, sizeof broken->property, property);
}

/* Adds one entry for each property of the list "a,b,c". */
static bool take_broken(reader_t *r, char **words) {
  broken_t like = {.line = r->line};
  const char *name = strtok_r(NULL, " \t", words);
  char *properties = name ? strtok_r(NULL, " \t", words) : NULL, *rest;
  const char *file = properties ? strtok_r(NULL, " \t", words) : NULL;
  if (!file) return bad(r, "should be `broken NAME PROPERTY,... FILE`, FILE below rtl/");
  bool ok = copy_word(r, like.name, sizeof like.name, name) && copy_word(r, like.file, sizeof like.file, file) &&
            take_settings(r, like.only, "=<>", words);
  for (char *p = strtok_r(properties, ",", &rest); ok && p; p = strtok_r(NULL, ",", &rest))
    ok = take_refuted(r, p, &like);
  if (ok && (!r->proof->num_broken || r->proof->broken[r->proof->num_broken - 1].line != r->line))
    return bad(r, "broken copy %s names no property that it must not pass", like.name);
  return ok;
}

static bool take_params(reader_t *r, char **words) {
  if (r->proof->num_params == PROOF_MOST) return bad(r, "more than %d sets of parameters", PROOF_MOST);
  return take_settings(r, r->proof->params[r->proof->num_params++], "=", words);
}

/* `- text` or `+ text`, for all entries of the `broken` line above. `+` alone deletes the text. */
static bool take_change(reader_t *r, const char *line) {
  proof_t *proof = r->proof;
  const char *text = line[1] ? line + 2 : "";
  if (!proof->num_broken) return bad(r, "a `%c` line should follow a `broken` line", *line);
  const broken_t *of = &proof->broken[proof->num_broken - 1];
  unsigned last = of->line;
  if (*(*line == '-' ? of->from : of->to))
    return bad(r, "broken copy %s has a `%c` line above; a copy has one", of->name, *line);
  bool ok = true;
  for (unsigned i = 0; ok && i < proof->num_broken; i++)
    if (proof->broken[i].line == last)
      ok = copy_word(r, *line == '-' ? proof->broken[i].from : proof->broken[i].to, PROOF_TEXT, text);
  return ok;
}

/* An empty line, and one of comment alone, say nothing. A `#` within `- ` and `+ ` lines is RTL. */
static bool take_line(reader_t *r, char *line) {
  char *words;
  line[strcspn(line, "\r\n")] = 0;
  if ((*line == '-' || *line == '+') && (line[1] == ' ' || !line[1])) return take_change(r, line);
  line[strcspn(line, "#")] = 0;
  const char *keyword = strtok_r(line, " \t", &words);
  if (!keyword) return true;
  if (strcmp(keyword, "params") == 0) return take_params(r, &words);
  if (strcmp(keyword, "property") == 0) return take_claim(r, false, &words);
  if (strcmp(keyword, "cover") == 0) return take_claim(r, true, &words);
  if (strcmp(keyword, "broken") == 0) return take_broken(r, &words);
  return bad(r, "'%s' should be params, property, cover or broken", keyword);
}

/* ---- what a whole description must have */

static bool has_broken_copy(const proof_t *proof, const char *property) {
  for (unsigned i = 0; i < proof->num_broken; i++)
    if (strcmp(proof->broken[i].property, property) == 0) return true;
  return false;
}

/* Compares two texts and ignores their blanks and tabs. */
static bool is_same_but_blanks(const char *a, const char *b) {
  while (*a || *b) {
    a += strspn(a, " \t"), b += strspn(b, " \t");
    if (*a != *b) return false;
    if (*a) a++, b++;
  }
  return true;
}

/* Each claim is used, each property has a broken copy, and each copy changes something. At least
 * one cover shows that the assumptions leave something to prove. */
static bool check_whole(reader_t *r) {
  const proof_t *proof = r->proof;
  unsigned covers = 0;
  for (unsigned i = 0; i < proof->num_claims; i++) {
    const claim_t *claim = &proof->claims[i];
    bool used = false;
    for (unsigned p = 0; p < proof->num_params; p++) used |= proof_applies(proof, claim->only, proof->params[p]);
    if (!used) return bad(r, "no set of parameters for %s", claim->name);
    if (claim->method == METHOD_COVER) covers++;
    else if (!has_broken_copy(proof, claim->name))
      return bad(r, "property %s has no broken copy that it must refute", claim->name);
  }
  for (unsigned i = 0; i < proof->num_broken; i++)
    if (!*proof->broken[i].from)
      return bad(r, "broken copy %s should have a `- ` line, and a `+ ` line", proof->broken[i].name);
  for (unsigned i = 0; i < proof->num_broken; i++)
    if (is_same_but_blanks(proof->broken[i].from, proof->broken[i].to)) {
      r->line = proof->broken[i].line;
      return bad(r, "broken copy %s changes nothing: its `+ ` line should differ from its `- ` line",
                 proof->broken[i].name);
    }
  if (covers == proof->num_claims) return bad(r, "a property is missing");
  return covers || bad(r, "a cover is missing: it shows that the assumptions leave something to prove");
}

bool proof_read(proof_t *proof, const char *path, trouble_t *trouble) {
  reader_t r = {proof, 0, trouble};
  char line[2 * PROOF_TEXT];
  snprintf(proof->path, sizeof proof->path, "%s", path);
  judged_file(path);
  FILE *file = fopen(path, "r");
  if (!file) return bad(&r, "%s", strerror(errno));
  bool ok = true;
  while (ok && fgets(line, sizeof line, file)) {
    r.line++;
    ok = strchr(line, '\n') ? take_line(&r, line) : bad(&r, "a line should be shorter and end");
  }
  fclose(file);
  if (ok && !proof->num_params) proof->params[proof->num_params++][0] = 0; /* the defaults */
  return ok && check_whole(&r);
}
