/* SPDX-License-Identifier: Apache-2.0
 *
 * Include this before `#include PORTS_FILE`. Every port-file macro that the includer has not
 * defined expands to nothing. Port files (rtl/FAM/X.ports) are lists of these macros;
 * docs/own-block.md explains them.
 */

/* moore: outputs depend on state alone; mealy: also on this cycle's inputs. */
#ifndef KIND
#define KIND(kind)
#endif
/* The clock: name in the RTL. CLOCK(none): the block is combinational. Several entries: inputs of
 * which all get the one clock. */
#ifndef CLOCK
#define CLOCK(name)
#endif
/* The reset: name in the RTL, active level (low, high), kind (async, sync). RESET(none, cycles):
 * there is none, and so many cycles of zeros after power-up are not compared. RESET(initial): there
 * is none, and registers begin with the values that the RTL declares. Several entries: inputs that
 * are active together, each at its level. */
#ifdef PORTGEN
#define CLOCK_none(none)
#define CLOCK__too(name, clock)
#define RESET(name, level, sync)
#define RESET__too(name, level, sync)
#define RESET_none(none, cycles)
#define RESET_initial(initial)
#else
#ifndef RESET
#define RESET(...)
#endif
#endif
/* An input that counts during a reset, too; all others are 0 then. */
#ifndef RESET_IN
#define RESET_IN(name)
#endif
/* An integer parameter: default, smallest and largest value, meaning. */
#ifndef PARAM
#define PARAM(name, value, least, most, text)
#endif
/* A parameter that is a text: default, all its values, meaning. TEXT_VALUE is made by portgen. */
#ifndef PARAM_TEXT
#define PARAM_TEXT(name, value, values, text)
#endif
#ifndef TEXT_VALUE
#define TEXT_VALUE(name, label, value)
#endif
/* What a set of values has to keep besides each parameter's range: a condition on parameters. */
#ifndef PARAM_RULE
#define PARAM_RULE(rule, text)
#endif
/* Scalar ports of 1 to 64 bits; `valid` is a 1-bit port of the same direction, or always, or
 * several ports: valid & !err. */
#ifndef IN
#define IN(name, width, valid)
#endif
#ifndef OUT
#define OUT(name, width, valid)
#endif
/* The OUT of this name reports an error of the block. */
#ifndef ERROR
#define ERROR(name)
#endif
/* Bits of a qualifying output that the parameters hold at 0: OFF(ok, Depth == 0). */
#ifndef OFF
#define OFF(name, bits)
#endif
/* An internal value of the RTL that the model shows, too; compared like an output. */
#ifndef PROBE
#define PROBE(name, width, valid)
#endif
/* Vector ports of any width: arrays of 32-bit words in C. */
#ifndef IN_V
#define IN_V(name, width, valid)
#endif
#ifndef OUT_V
#define OUT_V(name, width, valid)
#endif
#ifndef PROBE_V
#define PROBE_V(name, width, valid)
#endif
/* Ports of a named type: a struct of the shared lists, or a struct or an enum of this file. */
#ifndef IN_S
#define IN_S(name, type, valid)
#endif
#ifndef OUT_S
#define OUT_S(name, type, valid)
#endif
#ifndef PROBE_S
#define PROBE_S(name, type, valid)
#endif
/* n elements of one shape in a vector. C code that does not define these macros sees a vector that
 * is always valid. portgen reads them as kinds of their own. */
#ifdef PORTGEN
#define IN_N(name, n, width, valid)
#define OUT_N(name, n, width, valid)
#define PROBE_N(name, n, width, valid)
#else
#ifndef IN_N
#define IN_N(name, n, width, valid) IN_V(name, ((n) * (width)), always)
#endif
#ifndef OUT_N
#define OUT_N(name, n, width, valid) OUT_V(name, ((n) * (width)), always)
#endif
#ifndef PROBE_N
#define PROBE_N(name, n, width, valid) PROBE_V(name, ((n) * (width)), always)
#endif
#endif
/* The types of a file of its own. A field of struct `type`, most significant first; `of` is its
 * width or its type, `valid` a 1-bit field of the same struct, or always. FIELD_V: any width. */
#ifndef FIELD
#define FIELD(type, name, of, valid)
#endif
#ifndef FIELD_V
#define FIELD_V(type, name, of, valid)
#endif
/* An enum of so many bits, and its names of values. */
#ifndef ENUM
#define ENUM(type, width)
#endif
#ifndef LABEL
#define LABEL(type, name, value)
#endif
/* An array of n elements, element 0 in the lowest bits; `of` is their width or type. ARRAY_V:
 * elements of any width. */
#ifndef ARRAY
#define ARRAY(type, n, of)
#endif
#ifndef ARRAY_V
#define ARRAY_V(type, n, of)
#endif
/* What portgen makes of a port whose type is a struct of the file (port_fields.c): the whole port,
 * then an entry for each field, with the fields of a struct inside of it between PART and
 * PART_END. `name` is all of a field's name, req.head.addr, and `member` its last word. */
#ifndef IN_FIELDS
#define IN_FIELDS(name, type, width, valid)
#endif
#ifndef OUT_FIELDS
#define OUT_FIELDS(name, type, width, valid)
#endif
#ifndef PROBE_FIELDS
#define PROBE_FIELDS(name, type, width, valid)
#endif
#ifndef IN_FIELD
#define IN_FIELD(name, port, member, lsb, width, valid)
#endif
#ifndef OUT_FIELD
#define OUT_FIELD(name, port, member, lsb, width, valid)
#endif
#ifndef PROBE_FIELD
#define PROBE_FIELD(name, port, member, lsb, width, valid)
#endif
#ifndef IN_FIELD_V
#define IN_FIELD_V(name, port, member, lsb, width, valid)
#endif
#ifndef OUT_FIELD_V
#define OUT_FIELD_V(name, port, member, lsb, width, valid)
#endif
#ifndef PROBE_FIELD_V
#define PROBE_FIELD_V(name, port, member, lsb, width, valid)
#endif
#ifndef IN_PART
#define IN_PART(name, member)
#endif
#ifndef OUT_PART
#define OUT_PART(name, member)
#endif
#ifndef PROBE_PART
#define PROBE_PART(name, member)
#endif
#ifndef IN_PART_END
#define IN_PART_END(name, member)
#endif
#ifndef OUT_PART_END
#define OUT_PART_END(name, member)
#endif
#ifndef PROBE_PART_END
#define PROBE_PART_END(name, member)
#endif
#ifndef IN_FIELDS_END
#define IN_FIELDS_END(name)
#endif
#ifndef OUT_FIELDS_END
#define OUT_FIELDS_END(name)
#endif
#ifndef PROBE_FIELDS_END
#define PROBE_FIELDS_END(name)
#endif
/* The same for the model's structs, one for each type that ports have. */
#ifndef TYPE_BEGIN
#define TYPE_BEGIN(type)
#endif
#ifndef TYPE_FIELD
#define TYPE_FIELD(type, name, of)
#endif
#ifndef TYPE_FIELD_V
#define TYPE_FIELD_V(type, name, of)
#endif
#ifndef TYPE_PART
#define TYPE_PART(type, name, of)
#endif
#ifndef TYPE_END
#define TYPE_END(type)
#endif
/* Made by portgen of a qualifier that is more than a name (port_qualifier.h): the entries have
 * `number` in its place. `on` is what it says, of locals with the ports' values: is_NAME, and
 * no_NAME where a ! is in front of it. */
#ifndef WHEN_IN
#define WHEN_IN(number, text, on)
#endif
#ifndef WHEN_OUT
#define WHEN_OUT(number, text, on)
#endif
#ifndef TYPE_ARRAY
#define TYPE_ARRAY(type, n, of)
#endif
#ifndef TYPE_ARRAY_V
#define TYPE_ARRAY_V(type, n, of)
#endif
#ifndef TYPE_ARRAY_S
#define TYPE_ARRAY_S(type, n, of)
#endif
/* A name of a value of a port or field, also made by portgen. */
#ifndef NAMED
#define NAMED(name, label, value)
#endif
/* Functional coverage (docs/coverage.md): a point that is hit in cycles with `condition`. */
#ifndef COVER
#define COVER(name, condition, text)
#endif
/* A name for a value, for later entries. */
#ifndef COVER_LET
#define COVER_LET(name, value)
#endif
/* The cycles in a row with `condition`. */
#ifndef COVER_STREAK
#define COVER_STREAK(name, condition)
#endif
/* A running sum of changes, such as the level of a queue. */
#ifndef COVER_LEVEL
#define COVER_LEVEL(name, change)
#endif
/* The value in the last cycle with `condition`. */
#ifndef COVER_LAST
#define COVER_LAST(name, condition, value)
#endif
/* A point for each label; `index` selects the label, -1 none. */
#ifndef COVER_AXIS
#define COVER_AXIS(name, index, text, ...)
#endif
/* A point for each pair of labels of two axes. */
#ifndef COVER_CROSS
#define COVER_CROSS(name, a, b, text)
#endif
