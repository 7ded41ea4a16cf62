/* SPDX-License-Identifier: Apache-2.0 */
#include "ghdl_write.h"

#include <stdlib.h>
#include <string.h>

/* ---- places */

/* The gate's place, or that of the last one: functions of ghdl's libraries have none. */
static void find_place(ghdl_writer_t *w, const gate_t *gate) {
  const char *file = gate->line ? w->how->file(w->how->context, w->g->files[gate->file]) : NULL;
  if (file) w->file = file, w->line = gate->line;
}

void ghdl_place(ghdl_writer_t *w, const gate_t *gate) {
  find_place(w, gate);
  if (w->file) fprintf(w->to, "`line %u \"%s\" 0\n", w->line, w->file);
}

bool ghdl_refuse(ghdl_writer_t *w, const gate_t *gate, const char *what) {
  find_place(w, gate);
  return trouble_set(w->trouble, TROUBLE_INPUT, "%s:%u: %s", w->file ? w->file : "?", w->line, what);
}

/* ---- values */

void ghdl_put(const ghdl_writer_t *w, unsigned net) {
  const ghdl_gates_t *g = w->g;
  const unsigned root = net ? g->nets[net].root : 0;
  char *constant = net ? ghdl_constant(g, net) : NULL;
  if (constant) fprintf(w->to, "%u'b%s", g->nets[net].width, constant);
  else if (root && g->nets[root].name) fputs(g->nets[root].name, w->to);
  else fprintf(w->to, "%u'bx", net ? g->nets[net].width : 1);
  free(constant);
}

unsigned ghdl_width(const ghdl_writer_t *w, unsigned net) {
  return net ? w->g->nets[net].width : 0;
}

void ghdl_put_bit(const ghdl_writer_t *w, unsigned net, unsigned bit) {
  char *constant = net ? ghdl_constant(w->g, net) : NULL;
  if (constant) fprintf(w->to, "1'b%c", constant[strlen(constant) - 1 - bit]);
  else if (ghdl_width(w, net) > 1) ghdl_put(w, net), fprintf(w->to, "[%u]", bit);
  else ghdl_put(w, net);
  free(constant);
}

/* Bits of a net; of a constant its digits. */
void ghdl_put_slice(const ghdl_writer_t *w, unsigned net, unsigned low, unsigned wide) {
  char *constant = net ? ghdl_constant(w->g, net) : NULL;
  const unsigned all = ghdl_width(w, net);
  if (constant && low + wide <= all) fprintf(w->to, "%u'b%.*s", wide, (int)wide, constant + (all - low - wide));
  else if (all == 1 || !net) ghdl_put(w, net);
  else if (wide == 1) ghdl_put(w, net), fprintf(w->to, "[%u]", low);
  else ghdl_put(w, net), fprintf(w->to, "[%u:%u]", low + wide - 1, low);
  free(constant);
}

void ghdl_put_template(const ghdl_writer_t *w, const gate_t *gate, const char *text) {
  const ghdl_gates_t *g = w->g;
  const unsigned long param = gate->params ? g->values[gate->first_param] : 0;
  for (; *text; text++) {
    if (*text != '%' || !text[1]) {
      putc(*text, w->to);
      continue;
    }
    const char code = *++text;
    const unsigned input = strchr("SML", code) ? (unsigned)(*++text - '0') : (unsigned)(code - '0');
    const unsigned net = code == 'o' ? ghdl_output(g, gate, 0) : ghdl_input(g, gate, input);
    if (code == ' ') fputs("% ", w->to);
    else if (code == 'P') fprintf(w->to, "%lu", param);
    else if (code == 'W') fprintf(w->to, "%u", ghdl_width(w, ghdl_output(g, gate, 0)));
    else if (code == 'S') fputs("$signed(", w->to), ghdl_put(w, net), putc(')', w->to);
    else if (code == 'M') ghdl_put_bit(w, net, ghdl_width(w, net) - 1);
    else if (code == 'L') ghdl_put_bit(w, net, 0);
    else ghdl_put(w, net);
  }
}
