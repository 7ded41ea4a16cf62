/* SPDX-License-Identifier: Apache-2.0
 *
 * The only place where text from the database becomes HTML.
 */
#include "html.h"

#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* text_next also replaces characters that would change how other text reads. These five
 * characters are all that HTML needs, in content and between quotes of either kind. */
void html_text(FILE *out, const char *text) {
  const char *end = text ? text + strlen(text) : NULL;
  while (text < end) {
    uint32_t c = text_next(&text, end);
    switch (c) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    default: text_put(out, c);
    }
  }
}

/* Prints one conversion, with the argument of its type. Only this text reaches fprintf. */
static void print_conversion(FILE *out, const char *spec, va_list *args) {
  char last = spec[strlen(spec) - 1];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (last == 's') html_text(out, va_arg(*args, const char *));
  else if (last == '%') fputc('%', out);
  else if (strchr("fge", last)) fprintf(out, spec, va_arg(*args, double));
  else if (strstr(spec, "ll")) fprintf(out, spec, va_arg(*args, long long));
  else if (strchr(spec, 'z') || strchr(spec, 'l')) fprintf(out, spec, va_arg(*args, size_t));
  else fprintf(out, spec, va_arg(*args, int));
#pragma GCC diagnostic pop
}

/* Escapes by type: only %s can carry foreign text. A format is always a literal, which the
 * compiler checks against the arguments. */
void html(FILE *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  while (*format) {
    size_t plain = strcspn(format, "%"), n = 1;
    fwrite(format, 1, plain, out);
    format += plain;
    if (!*format) break;
    char spec[24] = "%";
    while (format[n] && !strchr("sdufgex%", format[n]) && n + 2 < sizeof spec) spec[n] = format[n], n++;
    spec[n] = format[n];
    print_conversion(out, spec, &args);
    format += n + 1;
  }
  va_end(args);
}

void html_id(FILE *out, const char *kind, const char *name) {
  fprintf(out, "%s-", kind);
  for (const unsigned char *p = (const unsigned char *)(name ? name : ""); *p; p++) {
    if (isalnum(*p) && *p < 0x80) fputc(*p, out);
    else fprintf(out, "_%02x", *p);
  }
}

void html_link(FILE *out, const char *kind, const char *name, const char *text) {
  fputs("<a href=\"#", out);
  html_id(out, kind, name);
  html(out, "\">%s</a>", text);
}

/* "2026-01-31T12:00:00Z" is shown as day and minute; other text as it is. */
void html_time(FILE *out, const char *time) {
  size_t n = time ? strlen(time) : 0;
  if (n < 20 || time[10] != 'T' || time[n - 1] != 'Z') {
    html_text(out, time);
    return;
  }
  char day[] = "2026-01-31", clock[] = "12:00";
  memcpy(day, time, sizeof day - 1);
  memcpy(clock, time + sizeof day, sizeof clock - 1);
  html(out, "<time datetime=\"%s\">%s\u202f%s UTC</time>", time, day, clock);
}

const char *fact_text(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}
bool fact_true(const json_t *object, const char *key) {
  return json_is_true(json_object_get(object, key));
}
size_t fact_count(const json_t *object, const char *key) {
  return json_array_size(json_object_get(object, key));
}

double fact_number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

json_t *fact_list(const json_t *object, const char *key) {
  json_t *list = json_object_get(object, key);
  return json_is_array(list) ? list : NULL;
}

/* tabindex and role make the box reachable by keyboard, because a box that scrolls must be. */
void html_table(FILE *out, const char *label, const char *const *columns) {
  html(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><thead><tr>", label);
  for (; *columns; columns++) {
    bool number = **columns == '#';
    html(out, number ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>", *columns + number);
  }
  fputs("</tr></thead><tbody>\n", out);
}

void html_table_end(FILE *out) {
  fputs("</tbody></table></div>\n", out);
}

double fact_share(double part, double whole) {
  return whole > 0 && isfinite(part) && isfinite(whole) ? part / whole : NAN;
}

void html_cell_count(FILE *out, double value) {
  char text[TEXT_NUMBER], exact[TEXT_NUMBER];
  text_count(text, value);
  text_exact(exact, value);
  if (strcmp(text, exact) == 0) html(out, "<td class=\"n\">%s</td>", text);
  else html(out, "<td class=\"n\"><abbr title=\"%s\">%s</abbr></td>", exact, text);
}

/* Less than 1 never shows as 100 %. */
void html_percent(FILE *out, double share) {
  if (!isfinite(share)) html(out, "\u2013");
  else if (share >= 1) html(out, "%g\u202f%%", round(share * 1000) / 10);
  else html(out, "%.1f\u202f%%", fmin(round(share * 1000) / 10, 99.9));
}

void html_cell_percent(FILE *out, double share) {
  fputs("<td class=\"n\">", out);
  html_percent(out, share);
  fputs("</td>", out);
}

void html_cell_short(FILE *out, double value, const char *unit) {
  char text[TEXT_NUMBER];
  text_short(text, value);
  html(out, isfinite(value) && *unit ? "<td class=\"n\">%s\u202f%s</td>" : "<td class=\"n\">%s</td>", text, unit);
}
