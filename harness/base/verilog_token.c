/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog_token.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_name(int c) {
  return isalnum(c) || c == '_' || c == '$';
}

char *token_comment(char *p) {
  if (p[1] == '/') return p + strcspn(p, "\n");
  char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static char *skip_string(char *p) {
  for (p++; *p && *p != '"' && *p != '\n'; p++) p += *p == '\\' && p[1];
  return p + (*p == '"');
}

token_t token_next(char *p) {
  for (;;) {
    p += strspn(p, " \t\r\n\f\v");
    if (*p == '/' && (p[1] == '/' || p[1] == '*')) p = token_comment(p);
    else if (*p == '\\' && (p[1] == '\n' || p[1] == '\r')) p++;
    else break;
  }
  char *end = p;
  if (*p == '"') end = skip_string(p);
  else if (*p == '\\') end = p + strcspn(p, " \t\r\n");
  else if (*p == '(' && p[1] == '*' && p[2 + strspn(p + 2, " \t\r\n")] != ')') end = p + 2;
  else if (*p == '*' && p[1] == ')') end = p + 2;
  else if (is_name((unsigned char)*p) || (*p == '`' && is_name((unsigned char)p[1])))
    for (end = p + 1; is_name((unsigned char)*end);) end++;
  else if (*p) end = p + 1;
  return (token_t){p, end};
}

bool token_is(token_t t, const char *word) {
  const size_t n = strlen(word);
  return (size_t)(t.end - t.begin) == n && strncmp(t.begin, word, n) == 0;
}

bool token_is_word(token_t t) {
  return isalpha((unsigned char)*t.begin) || *t.begin == '_' || *t.begin == '\\';
}

bool token_is_one(token_t t, const char *const *words) {
  for (; *words; words++)
    if (token_is(t, *words)) return true;
  return false;
}

char *token_brackets(char *p) {
  unsigned depth = 0;
  for (token_t t = token_next(p); t.begin < t.end; t = token_next(t.end)) {
    if (strchr("([{", *t.begin)) depth++;
    else if (strchr(")]}", *t.begin) || token_is(t, "*)")) depth--;
    else if (token_is(t, "endmodule")) return NULL;
    if (!depth) return t.end;
  }
  return NULL;
}
