/* SPDX-License-Identifier: Apache-2.0 */
#include "port_label.h"
#include "report.h"

#include "against.h"
#include "source_text.h"

#include <inttypes.h>
#include <string.h>

enum { VALUE_BYTES = 4096 };

static const uint32_t *port_words(const dut_port_t *port, const void *fields) {
  return (const uint32_t *)((const char *)fields + port->offset);
}

/* Shows bits above the port's width, too, when the model (wrongly) sets some. */
char *report_value(const dut_port_t *port, const void *fields, char *buf, size_t size) {
  const uint32_t *words = port_words(port, fields);
  uint32_t digits = (port->width + 3) / 4, over = port->size * 2;
  size_t n = (size_t)snprintf(buf, size, "0x");
  while (over > digits && !(words[(over - 1) / 8] >> (over - 1) % 8 * 4 & 15)) over--;
  for (uint32_t i = over; i-- > 0 && n + 3 < size;) {
    n += (size_t)snprintf(buf + n, size - n, "%x", words[i / 8] >> i % 8 * 4 & 15);
    if (i && i % 8 == 0) buf[n++] = '_';
  }
  buf[n < size ? n : size - 1] = 0;
  return buf;
}

/* Up to 64 bits of a vector, from lsb up. */
static uint64_t vector_bits(const uint32_t *words, uint32_t lsb, uint32_t width) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < width && i < 64; i++) value |= (uint64_t)(words[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
  return value;
}

static const dut_struct_t *struct_of(const dut_t *dut, const dut_port_t *port) {
  for (unsigned i = 0; i < dut->num_structs && port->shape == DUT_STRUCT; i++)
    if (strcmp(dut->structs[i].name, port->type) == 0) return &dut->structs[i];
  return NULL;
}

static void field_name(const dut_field_t *f, uint32_t element, char *buf, size_t size) {
  if (f->elements == 1) snprintf(buf, size, "%s", f->name);
  else snprintf(buf, size, "%s[%u]", f->name, element);
}

static void field_value(const dut_struct_t *s, const dut_field_t *f, uint64_t value, char *buf, size_t size) {
  const char *name = s->value_name ? s->value_name(f->name, value) : NULL;
  snprintf(buf, size, "0x%" PRIx64 "%s%s%s", value, name ? " (" : "", name ? name : "", name ? ")" : "");
}

/* Prints the fields of a struct port that differ. The first field (the type) is always printed. */
static void differing_fields(FILE *out, const dut_t *dut, const dut_struct_t *s, const uint32_t *rtl,
                             const uint32_t *model) {
  const char *device = against_device_label(dut), *other = against_reference(dut) ? "reference" : "model";
  for (unsigned i = 0; i < s->num_fields; i++)
    for (uint32_t e = 0; e < s->fields[i].elements; e++) {
      const dut_field_t *f = &s->fields[i];
      uint64_t a = vector_bits(rtl, f->lsb + e * f->width, f->width),
               b = vector_bits(model, f->lsb + e * f->width, f->width);
      char name[64], ta[96], tb[96];
      if (a == b && i) continue;
      field_name(f, e, name, sizeof name);
      field_value(s, f, a, ta, sizeof ta);
      field_value(s, f, b, tb, sizeof tb);
      if (a == b) fprintf(out, "      %-10s %s\n", name, ta);
      else fprintf(out, "      %-10s %s %-22s %s %s\n", name, device, ta, other, tb);
    }
}

static uint32_t first_differing_bit(const dut_port_t *p, const void *a, const void *b) {
  const uint32_t *x = port_words(p, a), *y = port_words(p, b);
  for (uint32_t i = 0; i < p->size * 8; i++)
    if ((x[i / 32] ^ y[i / 32]) >> i % 32 & 1) return i;
  return 0;
}

/* Replaces a digit with undefined bits by x, and a digit with only undefined bits by X. */
static void show_undefined(const dut_port_t *port, const void *undefined, char *text) {
  const uint32_t *x = port_words(port, undefined);
  uint32_t digit = 0;
  for (char *at = text + strlen(text) - 1; at >= text + 2; at--) {
    if (*at == '_') continue;
    uint32_t set = digit / 8 < port->size / 4 ? x[digit / 8] >> digit % 8 * 4 & 15 : 0, left = port->width - 4 * digit;
    if (set) *at = set == 15 || (left < 4 && set == (1u << left) - 1) ? 'X' : 'x';
    digit++;
  }
}

/* Prints the port's value on one side, with the label of an enum's value behind it. `undefined`:
 * bits that are X or Z there; NULL: none. */
static void report_side(FILE *out, const dut_t *dut, const dut_port_t *p, const char *side, size_t width,
                        const void *fields, const void *undefined) {
  char text[VALUE_BYTES];
  const char *label = dut_port_label(dut, p, fields);
  report_value(p, fields, text, sizeof text);
  if (undefined && dut_port_bits(p, undefined)) show_undefined(p, undefined, text);
  fprintf(out, "    %-*s  %s", (int)width, side, text);
  if (label) fprintf(out, " (%s)", label);
  fputc('\n', out);
}

/* Prints a wrong port: the values of RTL and model in aligned lines, and the fields that differ. */
static void report_port(FILE *out, const lockstep_t *ls, const dut_port_t *p) {
  char label[AGAINST_LABEL], name[PORT_NAME];
  const dut_struct_t *s = struct_of(ls->dut, p);
  const bool pair = against_reference(ls->dut);
  const size_t width = strlen(against_model_label(ls->dut, label));
  fprintf(out, "  %s %s (%u bits)\n", p->dir == DUT_PROBE ? "probe" : "output", port_label(p, name), p->width);
  unsigned undefined = dut_port_bits(p, ls->rtl_x);
  report_side(out, ls->dut, p, against_device_label(ls->dut), width, ls->rtl_out,
              pair ? against_undefined(ls->dut, ls->rtl_out) : ls->rtl_x);
  report_side(out, ls->dut, p, label, width, ls->out, pair ? against_undefined(ls->dut, ls->out) : NULL);
  if (undefined)
    fprintf(out, "    %u bit%s X or Z in the RTL, though the value is valid\n", undefined,
            undefined == 1 ? " is" : "s are");
  if (p->width > 32 && !s) fprintf(out, "    lowest differing bit: %u\n", first_differing_bit(p, ls->rtl_out, ls->out));
  if (s) differing_fields(out, ls->dut, s, port_words(p, ls->rtl_out), port_words(p, ls->out));
}

/* Prints the port's line of the port file. */
static void report_rule(FILE *out, const dut_t *dut, const dut_port_t *p) {
  char text[SOURCE_TEXT];
  if (source_line(dut->ports_file, p->line, text))
    fprintf(out, "    rule   %s:%u \"%s\"\n", source_short(dut->ports_file), p->line, text);
}

/* Prints an assertion with its text, read from the source line that the message names. */
static void report_assertion(FILE *out, const char *text) {
  source_assertion_t a;
  if (!source_assertion(text, &a)) return;
  fprintf(out, "    assert (%s)\n    in     %s, %s:%u%s%s\n", a.text, a.instance, source_short(a.file), a.line,
          *a.label ? ", label " : "", a.label);
}

static bool port_differs(const lockstep_t *ls, const dut_port_t *p) {
  return p->dir != DUT_IN && memcmp((char *)ls->out + p->offset, (char *)ls->rtl_out + p->offset, p->size) != 0;
}

static void other_wrong_ports(FILE *out, const lockstep_t *ls) {
  bool any = false;
  char label[PORT_NAME];
  for (unsigned i = 0; i < ls->dut->num_ports; i++)
    if ((int)i != ls->port && port_differs(ls, &ls->dut->ports[i])) {
      fprintf(out, "%s %s", any ? "," : "  also wrong in this cycle:", port_label(&ls->dut->ports[i], label));
      any = true;
    }
  if (any) fprintf(out, "\n");
}

void report_failure(FILE *out, const lockstep_t *ls, const failure_t *failure) {
  fprintf(out, "%s in cycle %" PRIu64 "\n", outcome_name(failure->outcome), failure->cycle);
  if (failure->outcome == OUTCOME_DIVERGED) {
    report_port(out, ls, &ls->dut->ports[ls->port]);
    report_rule(out, ls->dut, &ls->dut->ports[ls->port]);
    other_wrong_ports(out, ls);
    return;
  }
  fprintf(out, "  %s\n", failure->text);
  if (failure->outcome == OUTCOME_DUT_ASSERT) report_assertion(out, failure->text);
}

static bool is_port_nonzero(const dut_port_t *p, const void *fields) {
  const uint32_t *words = port_words(p, fields);
  for (uint32_t i = 0; i < p->size / 4; i++)
    if (words[i]) return true;
  return false;
}

/* Prints "type=RDF_RESP slot=0x3 ...": the fields that are not zero, and for arrays the number of
 * such elements. */
static void struct_line(FILE *out, const dut_struct_t *s, const uint32_t *words) {
  for (unsigned i = 0; i < s->num_fields; i++) {
    const dut_field_t *f = &s->fields[i];
    unsigned set = 0;
    uint64_t value = 0;
    for (uint32_t e = 0; e < f->elements; e++) {
      uint64_t v = vector_bits(words, f->lsb + e * f->width, f->width);
      set += v != 0;
      if (!e) value = v;
    }
    if (!set) continue;
    const char *name = f->elements == 1 && s->value_name ? s->value_name(f->name, value) : NULL;
    if (f->elements > 1) fprintf(out, " %s:%u set", f->name, set);
    else if (name) fprintf(out, " %s=%s", f->name, name);
    else fprintf(out, " %s=0x%" PRIx64, f->name, value);
  }
}

static void print_input_value(FILE *out, const dut_t *dut, const dut_port_t *p, const void *in) {
  const dut_struct_t *s = struct_of(dut, p);
  char value[VALUE_BYTES], name[PORT_NAME];
  if (s) {
    fprintf(out, "%s{", p->name);
    struct_line(out, s, port_words(p, in));
    fprintf(out, " }");
    return;
  }
  report_value(p, in, value, sizeof value);
  const char *digits = value + 2, *label = dut_port_label(dut, p, in);
  if (label) {
    fprintf(out, "%s=%s(%s)", port_label(p, name), label, value);
    return;
  }
  /* of a wide value, from the first digit that is not 0 */
  if (strlen(value) > 40) digits += strspn(digits, "0_");
  if (strlen(digits) > 38) strcpy(value + (digits - value) + 35, "...");
  fprintf(out, "%s=0x%s", port_label(p, name), digits);
}

void report_inputs(FILE *out, const dut_t *dut, const trace_cycle_t *cycle) {
  const char *space = "";
  if (cycle->reset) fprintf(out, "reset"), space = " ";
  for (unsigned i = 0; cycle->in && i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir != DUT_IN || !is_port_nonzero(p, cycle->in) || !dut_port_valid(dut, p, cycle->in)) continue;
    fputs(space, out);
    print_input_value(out, dut, p, cycle->in);
    space = " ";
  }
}

void report_packets(FILE *out, const lockstep_t *ls) {
  for (unsigned i = 0; i < ls->dut->num_ports; i++) {
    const dut_port_t *p = &ls->dut->ports[i];
    const dut_struct_t *s = struct_of(ls->dut, p);
    if (!s || p->dir == DUT_IN || !dut_port_valid(ls->dut, p, ls->out)) continue;
    fprintf(out, "%s{", p->name);
    struct_line(out, s, port_words(p, ls->out));
    fprintf(out, " }\n");
  }
}

bool report_brings(const dut_t *dut, const trace_t *trace, size_t at) {
  const trace_cycle_t *c = &trace->cycles[at];
  if (c->reset || !c->in) return c->reset;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == DUT_IN && p->width == 1 && is_port_nonzero(p, c->in)) return true;
  }
  return !at || !c[-1].in || memcmp(c->in, c[-1].in, dut->in_size) != 0;
}
