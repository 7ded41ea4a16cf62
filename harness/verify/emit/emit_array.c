/* SPDX-License-Identifier: Apache-2.0
 *
 * Unpacked arrays as a whole. An array is a vector with the element of the least index in its
 * lowest bits. Where one goes to another whose range runs the other way, as from [0:3] to [3:0],
 * the leftmost element goes to the leftmost one, so that the vector turns.
 */
#include "design.h"

#include <stdlib.h>

enum { DEPTH = 16 };

static const xml_node_t *element_of(emit_t *e, const xml_node_t *array) {
  return emit_dtype_by(e, xml_value(array, "sub_dtype_id"));
}

static bool is_array(const xml_node_t *type) {
  return type && xml_is(type, "unpackarraydtype");
}

/* The number of elements; *rises: the range is [0:3]. */
static unsigned elements(const xml_node_t *type, bool *rises) {
  unsigned long left = 0, right = 0;
  const xml_node_t *range = xml_child(type, "range");
  if (!range || !emit_number(xml_at(range, 0), &left) || !emit_number(xml_at(range, 1), &right)) return 0;
  *rises = (long)(int)left < (long)(int)right;
  return (unsigned)labs((long)(int)left - (long)(int)right) + 1;
}

static bool turns(emit_t *e, const xml_node_t *from, const xml_node_t *to, int depth) {
  bool one = false, other = false;
  if (!is_array(from) || !is_array(to) || depth > DEPTH) return false;
  if (elements(from, &one) == elements(to, &other) && elements(from, &one) > 1 && one != other) return true;
  return turns(e, element_of(e, from), element_of(e, to), depth + 1);
}

bool emit_turns(emit_t *e, const xml_node_t *from, const xml_node_t *to) {
  return turns(e, from, to, 0);
}

static unsigned width_of(emit_t *e, const xml_node_t *type) {
  return emit_dtype_width(e, type);
}

/* The elements from bit `low` of the value on, in the order of the other array, the last first. */
static const char *turned(emit_t *e, const xml_node_t *node, unsigned low, const xml_node_t *from,
                          const xml_node_t *to) {
  bool one = false, other = false;
  const char *text = "";
  if (!is_array(from) || !is_array(to)) return emit_bits(e, node, low, width_of(e, from));
  const unsigned n = elements(from, &one), each = width_of(e, element_of(e, from));
  if (elements(to, &other) != n) return emit_refuse(e, node, "an array that goes to one of another length"), "1'b0";
  for (unsigned k = n; k-- > 0;)
    text =
        emit_text(e, "%s%s%s", text, *text ? ", " : "",
                  turned(e, node, low + (one == other ? k : n - 1 - k) * each, element_of(e, from), element_of(e, to)));
  return emit_text(e, "{%s}", text);
}

const char *emit_turned(emit_t *e, const xml_node_t *node, const xml_node_t *to) {
  return turned(e, node, 0, emit_dtype(e, node), to);
}
