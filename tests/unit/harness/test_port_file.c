/* SPDX-License-Identifier: Apache-2.0
 *
 * Port files (.ports). Rules held:
 *   1. Widths, values and bounds are numbers, with C's preprocessor and the families' lists.
 *   2. Each mistake is refused in one line that begins with file and line.
 *   3. Templates make what they say of a port file's entries.
 *   4. Ports and the RTL's module must agree in names, widths and directions.
 *   5. All port files of the tree are read, with each parameter at both bounds.
 * Long file: a table of all mistakes, and the rig that reads texts as files.
 */
#include "port_check.h"
#include "port_params.h"
#include "unit_test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "KIND(moore)\nCLOCK(clk)\nRESET(rst, high, sync)\n" /* three lines */

#define TWO HEAD "PARAM(A, 4, 1, 64, \"a\")\nPARAM(B, 2, 1, 9, \"b\")\n"

static port_tree_t tree;

/* Reads the families' lists once, for all tests. */
static int open_tree(void **state) {
  trouble_t trouble = {0};
  (void)state;
  if (port_tree_read(&tree, LOCKSTACK_SOURCE_DIR, &trouble)) return 0;
  fprintf(stderr, "%s\n", trouble.text);
  return 1;
}

static int close_tree(void **state) {
  (void)state;
  port_tree_free(&tree);
  return 0;
}

/* Writes a file of this text. */
static void write_text_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

/* Reads this text as the file port_file_x.ports, with a parameter set if `setting` is not NULL. */
static bool read_ports(port_file_t *file, const char *text, const char *setting, trouble_t *trouble) {
  write_text_file("port_file_x.ports", text);
  const bool ok = port_file_read(file, &tree, "port_file_x.ports", &setting, setting != NULL, trouble);
  unlink("port_file_x.ports");
  return ok;
}

/* The entry of this kind and name, which must be there. */
static const port_entry_t *find_entry(const port_file_t *file, const char *kind, const char *name) {
  for (unsigned i = 0; i < file->text.num_entries; i++)
    if (port_entry_is(&file->text.entries[i], kind) && strcmp(file->text.entries[i].args[0], name) == 0)
      return &file->text.entries[i];
  fail_msg("no %s(%s)", kind, name);
  return NULL;
}

/* The number that this entry has: a port's width or a parameter's value. OUT_N's is all
 * elements' together. */
static void check_number(const char *text, const char *setting, const char *kind, const char *name,
                         const char *number) {
  trouble_t trouble = {0};
  port_file_t file;
  if (!read_ports(&file, text, setting, &trouble)) fail_msg("%s", trouble.text);
  assert_string_equal(find_entry(&file, kind, name)->number, number);
  port_file_free(&file);
}

/* Widths are expressions over parameters and over constants of the families' lists, evaluated
 * with the settings. Expected by hand: Depth = Least * 2 = 6, CLOG2(7) = 3, CLOG2(1025) = 11, 16
 * * 40 = 640 with the lists' PKT_ADDR_BITS of 40, 7 * 24 = 168. */
static void widths_are_numbers(void **state) {
  (void)state;
  static const char text[] =
      HEAD "PARAM(Depth, Least * 2, Least, 1 << 10, \"deep, (very\")\nPARAM(Least, 3, 1, 8, \"x\")\n"
           "IN(a, CLOG2(Depth + 1), always)\nOUT_V(b, Depth * PKT_ADDR_BITS, always)\nOUT_S(c, pkt_hdr, always)";
  check_number(text, NULL, "PARAM", "Depth", "6");
  check_number(text, NULL, "IN", "a", "3");
  check_number(text, "Depth=1024", "IN", "a", "11");
  check_number(text, "Depth=0010", "IN", "a", "4");
  check_number(text, "Least=8", "OUT_V", "b", "640");
  check_number(text, NULL, "OUT_S", "c", "447");
  check_number(HEAD
               "PARAM(On, 0, 0, 1, \"x\")\nOUT(ok, 1, always)\nOUT(y, On + 2, ok)\nOFF(ok, !On)\nOFF(ok, On ? 0 : 1)\n",
               "On=1", "OUT", "y", "3");
  check_number(HEAD "PARAM(A, 1, 0, 9, \"x\")\nPARAM(B, 1, 0, 9, \"x\")\nOUT(ok, 4, always)\nOUT_N(x, 4, 2, ok)\n"
                    "OFF(ok, A == 3 && B == 5)\nOFF(ok, ~((1 << B) - 1))\n",
               NULL, "OUT", "ok", "4"); /* of A and B there is a value with which no bit is off */
  check_number(HEAD "PARAM(DEBUG, 1, 0, 1 << 30, \"x\")\nPARAM(_x, 1, 0, 1, \"x\")\n"
                    "PARAM(HAVE_FPU, 1, 0, 1, \"x\")\nPARAM(INT, 1, 0, 1, \"x\")\nPARAM(MAX, 3, 0, 9, \"x\")\n",
               NULL, "PARAM", "MAX", "3"); /* ordinary names */
  check_number(HEAD "PARAM(Ports, 5, 1, 16, \"p\")\nOUT(v, Ports, always)\nOUT_N(d, Ports, 24, v)\n", "Ports=7",
               "OUT_N", "d", "168");
}

/* A text is the number of its value, wherever that comes from, and a number may be negative. */
static void texts_and_negative_numbers(void **state) {
  static const char text[] = HEAD "PARAM(O, -4, -128, 127, \"o\")\nPARAM_TEXT(M, \"B\", \"A B 7C\", \"m\")\n"
                                  "IN(a, M + 3, always)\nOUT(ok, 1, always)\nOUT(y, 1, ok)\nOFF(ok, M == 2)\n";
  port_file_t file;
  trouble_t trouble = {0};
  (void)state;
  check_number(text, NULL, "PARAM_TEXT", "M", "1");
  check_number(text, "M=7C", "PARAM_TEXT", "M", "2");
  check_number(text, "M=\"A\"", "IN", "a", "3");
  check_number(text, NULL, "PARAM", "O", "-4");
  check_number(text, "O=-128", "PARAM", "O", "-128");
  if (!read_ports(&file, text, "M=7C", &trouble)) fail_msg("%s", trouble.text);
  assert_string_equal(find_entry(&file, "PARAM_TEXT", "M")->word, "\"7C\"");
  assert_string_equal(find_entry(&file, "TEXT_VALUE", "M")->args[1], "A");
  port_file_free(&file);
}

/* A rule holds or not by the values that were set, and is no parameter. The model's header has it,
 * and so has the lint wrapper, in Verilog's words. */
static void rules_across_parameters(void **state) {
  static const char text[] = "PARAM_RULE(CLOG2(A) >= B, \"B (few)\")\nPARAM_RULE(B < A, \"less\")\n" TWO;
  static const char *const made[][2] = {{"ports_h", "_Static_assert(CLOG2(A) >= B, \"B (few)\");\n"},
                                        {"lint_sv", "  if (!($clog2(A) >= B)) $fatal(1, \"B (few)\");\n"}};
  (void)state;
  check_number(text, "A=8", "PARAM", "A", "8");
  check_number(text, "B=1", "PARAM", "B", "1");
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    char template[1024];
    port_file_t file;
    trouble_t trouble = {0};
    port_buffer_t out = {0};
    port_add(&out, "", 0);
    snprintf(template, sizeof template, LOCKSTACK_SOURCE_DIR "/harness/portgen/gen/%s.in", made[i][0]);
    if (!read_ports(&file, text, NULL, &trouble) || !port_template(template, &file.view, &out, &trouble))
      fail_msg("%s", trouble.text);
    if (!strstr(out.at, made[i][1])) fail_msg("%s has not %s", out.at, made[i][1]);
    free(out.at);
    port_file_free(&file);
  }
}

/* Comments, macros, ## and #, conditions and line numbers are those of C's preprocessor. The
 * nine entries are HEAD's three, two of PAIR, y, w, P and q; lines count those of comments and
 * of continued macros. */
static void the_language_is_cpps(void **state) {
  (void)state;
  static const char text[] =
      "// half ' open \" ( [\n/* KIND(mealy)\n*/" HEAD "#define ROW (2 * \\\n  4)\n"
      "#define PAIR(name, bits) IN(name##_a, bits, always) IN(name ## _b, ROW + bits, always)\n"
      "PAIR(x, 3)\n#ifdef ROW\nIN(y, ROW, always)\n#else\nIN(z, 1, always)\n#endif\n#if 0\n#error no ' such\n"
      "#elif ROW == 8 && "
      "!defined(NONE)\nOUT(w, 1 /* , */, always) // )\n#else\nno\n#endif\n#define T(x) #x\n"
      "PARAM(P, 1, 1, 2, T(two \"words\"))\n  IN (\n q ,\n 1\n,\talways )";
  trouble_t trouble = {0};
  port_file_t file;
  if (!read_ports(&file, text, NULL, &trouble)) fail_msg("%s", trouble.text);
  assert_int_equal(file.text.num_entries, 3 + 2 + 1 + 1 + 1 + 1);
  assert_string_equal(find_entry(&file, "IN", "x_b")->number, "11");
  assert_string_equal(find_entry(&file, "IN", "y")->args[1], "(2 * 4)");
  assert_string_equal(find_entry(&file, "OUT", "w")->args[1], "1");
  assert_string_equal(find_entry(&file, "PARAM", "P")->args[4], "\"two \\\"words\\\"\"");
  assert_int_equal(find_entry(&file, "CLOCK", "clk")->line, 4);
  assert_int_equal(find_entry(&file, "IN", "x_a")->line, 9);
  assert_int_equal(find_entry(&file, "IN", "q")->line, 24);
  port_file_free(&file);
}

/* A mistake in an included file is told with that file's line. A file that includes itself ends. */
static void other_files_are_included(void **state) {
  (void)state;
  trouble_t trouble = {0};
  port_file_t file;
  write_text_file("port_file_more.ports", "IN(more, 2, always)\nIN(wrong, 0, always)\n");
  assert_false(read_ports(&file, HEAD "#include \"port_file_more.ports\"\n", NULL, &trouble));
  assert_string_equal(
      trouble.text, "port_file_more.ports:2: IN(wrong, ...): 0 is 0: a scalar port has 1 to 64 bits; IN_V is for more");
  port_file_free(&file);
  write_text_file("port_file_more.ports", "IN(more, 2, always)\n#include \"port_file_x.ports\"\n");
  assert_false(read_ports(&file, "#include \"port_file_more.ports\"\n", NULL, &trouble));
  assert_non_null(strstr(trouble.text, "nested too deeply"));
  port_file_free(&file);
  unlink("port_file_more.ports");
}

/* A port of a struct becomes an entry for each field, from the highest bit down; labels go with
 * each value of their enum, and a qualifier with all that it qualifies. */
static void expands_structs(void **state) {
  static const char text[] =
      HEAD "PARAM(W, 8, 1, 100, \"width\")\nENUM(op_e, 2)\nLABEL(op_e, GO, 1)\n"
           "FIELD(tag_t, id, 4, always)\nFIELD(tag_t, addr, W, always)\n"
           "FIELD(r_t, valid, 1, always)\nFIELD(r_t, op, op_e, valid)\nFIELD(r_t, tag, tag_t, valid)\n"
           "FIELD_V(r_t, data, 70, always)\nOUT_S(r, r_t, always)\nOUT_S(mode, op_e, r.valid)\n";
  static const struct {
    const char *kind, *name, *lsb, *number, *valid;
  } all[] = {{"OUT_FIELD", "r.valid", "80", "1", "always"},   {"OUT_FIELD", "r.op", "78", "2", "r.valid"},
             {"OUT_FIELD", "r.tag.id", "74", "4", "r.valid"}, {"OUT_FIELD", "r.tag.addr", "70", "4", "r.valid"},
             {"OUT_FIELD_V", "r.data", "0", "70", "always"},  {"OUT", "mode", NULL, "2", "r.valid"}};
  port_file_t file;
  trouble_t trouble = {0};
  (void)state;
  if (!read_ports(&file, text, "W=4", &trouble)) fail_msg("%s", trouble.text);
  assert_string_equal(find_entry(&file, "OUT_FIELDS", "r")->number, "81");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const port_entry_t *e = find_entry(&file, all[i].kind, all[i].name);
    const char *lsb = port_entry_field(e, "lsb", 3);
    assert_string_equal(e->number, all[i].number);
    assert_string_equal(port_entry_field(e, "valid", 5), all[i].valid);
    assert_string_equal(lsb ? lsb : "", all[i].lsb ? all[i].lsb : "");
  }
  assert_string_equal(find_entry(&file, "NAMED", "r.op")->args[1], "GO");
  assert_string_equal(find_entry(&file, "NAMED", "mode")->args[2], "1");
  port_file_free(&file);
}

/* Checks what C includes in place of this port file; "": the file itself. */
static void check_as_read(const char *text, const char *says) {
  port_file_t file;
  trouble_t trouble = {0};
  port_buffer_t out = {0};
  port_add(&out, "", 0);
  if (!read_ports(&file, text, NULL, &trouble)) fail_msg("%s", trouble.text);
  port_fields_print(&file, &out);
  if (*says ? !strstr(out.at, says) : *out.at) fail_msg("%s: \"%s\" has not \"%s\"", text, out.at, says);
  free(out.at);
  port_file_free(&file);
}

/* A qualifier that is more than a name is a number for C, and an entry of its own behind the
 * others, of all elements at once for a port of such. The fields of a qualified struct need
 * both. */
static void qualifiers_become_numbers(void **state) {
  (void)state;
  check_as_read(HEAD "IN(v, 1, always)\nIN(a, 8, v)\n", "");
  check_as_read(HEAD "OUT(empty, 1, always)\nOUT(a, 8, !empty)\n",
                "OUT(a, 8, 0)\nWHEN_OUT(0, \"!empty\", !no_empty)\n");
  check_as_read(HEAD "IN(v, 1, always)\nIN(l, 1, v)\nIN(a, 8, v  &! l)\nIN_V(b, 80, v&l)\n",
                "WHEN_IN(0, \"v & !l\", is_v && !no_l)\nWHEN_IN(1, \"v & l\", is_v && is_l)\n");
  check_as_read(HEAD "OUT(v, 3, always)\nPROBE(w, 3, always)\nOUT_N(a, 3, 8, v & !w)\n",
                "OUT_N(a, 3, 8, 0)\nWHEN_OUT(0, \"v & !w\", is_v & ~no_w)\n");
  check_as_read(HEAD "FIELD(r_t, idle, 1, always)\nFIELD(r_t, a, 4, !idle)\nIN(ok, 1, always)\nIN_S(r, r_t, ok)\n",
                "WHEN_IN(0, \"!r.idle & ok\", !no_r.idle && is_ok)\n");
}

/* A port of an array becomes an entry for each element, element 0 in the lowest bits, and of arrays
 * and structs inside of each other one for each value. */
static void expands_arrays(void **state) {
  static const char text[] =
      HEAD "PARAM(N, 2, 1, 8, \"elements\")\nENUM(op_e, 2)\nLABEL(op_e, GO, 1)\n"
           "FIELD(r_t, v, 1, always)\nFIELD(r_t, a, row_a, v)\nARRAY(row_a, 2, 4)\nARRAY(all_a, N, r_t)\n"
           "ARRAY(ops_a, N, op_e)\nARRAY_V(wide_a, 2, 70)\nIN_S(all, all_a, always)\nIN_S(wide, wide_a, always)\n"
           "IN_S(ops, ops_a, always)\nIN(one, 1, all[1].v)\nOUT(z, 1, always)\n";
  static const struct {
    const char *kind, *name, *lsb, *number, *valid;
  } all[] = {{"IN_FIELD", "all[0].v", "8", "1", "always"},      {"IN_FIELD", "all[0].a[0]", "0", "4", "all[0].v"},
             {"IN_FIELD", "all[0].a[1]", "4", "4", "all[0].v"}, {"IN_FIELD", "all[2].a[1]", "22", "4", "all[2].v"},
             {"IN_FIELD_V", "wide[1]", "70", "70", "always"},   {"IN_FIELD", "ops[2]", "4", "2", "always"}};
  static const char *const types[] = {"TYPE_ARRAY row_a",   "TYPE_BEGIN r_t",      "TYPE_END r_t",
                                      "TYPE_ARRAY_S all_a", "TYPE_ARRAY_V wide_a", "TYPE_ARRAY ops_a"};
  port_file_t file;
  trouble_t trouble = {0};
  unsigned n = 0;
  (void)state;
  if (!read_ports(&file, text, "N=3", &trouble)) fail_msg("%s", trouble.text);
  assert_string_equal(find_entry(&file, "IN_FIELDS", "all")->number, "27");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const port_entry_t *e = find_entry(&file, all[i].kind, all[i].name);
    assert_string_equal(e->number, all[i].number);
    assert_string_equal(port_entry_field(e, "valid", 5), all[i].valid);
    assert_string_equal(port_entry_field(e, "lsb", 3), all[i].lsb);
  }
  assert_string_equal(find_entry(&file, "NAMED", "ops[2]")->args[1], "GO");
  assert_string_equal(port_entry_field(find_entry(&file, "TYPE_ARRAY", "ops_a"), "of", 2), "2");
  /* what a type is made of comes before it */
  for (const port_entry_t *e = file.text.entries; e < port_text_end(&file.text); e++) {
    char line[64];
    snprintf(line, sizeof line, "%s %s", e->kind->name, e->num_args ? e->args[0] : "");
    if (n < sizeof types / sizeof *types && strcmp(line, types[n]) == 0) n++;
  }
  assert_int_equal(n, sizeof types / sizeof *types);
  port_file_free(&file);
}

/* Line 0: without one. */
static const struct {
  const char *text, *setting;
  unsigned line;
  const char *says;
} wrong[] = {
    /* Types of the file. */
    {HEAD "FIELD(r_t, a, 1)\n", NULL, 4, "FIELD takes 4 arguments"},
    {HEAD "FIELD(r_t, a, 65, always)\n", NULL, 4, "a field has 1 to 64 bits; FIELD_V is for more"},
    {HEAD "FIELD(r_t, a, 0, always)\n", NULL, 4, "0 is 0: a field has 1 to 1048576 bits"},
    {HEAD "FIELD(r_t, a, 1, always)\nFIELD(r_t, a, 2, always)\n", NULL, 5,
     "field a of r_t is there twice; the first is in line 4"},
    {HEAD "FIELD(r_t, a, r_t, always)\n", NULL, 4, "r_t is made of itself"},
    {HEAD "FIELD(r_t, a, 4, b)\nFIELD(r_t, b, 2, always)\n", NULL, 4,
     "is qualified by b, which is no field of 1 bit of r_t"},
    {HEAD "FIELD(in_t, a, 4, always)\n", NULL, 4, "the struct should be called otherwise"},
    {HEAD "FIELD(pkt_hdr, a, 4, always)\n", NULL, 4, "pkt_hdr is a struct of the lists of rtl/"},
    {HEAD "ENUM(e, 65)\n", NULL, 4, "an enum has 1 to 64 bits"},
    {HEAD "ENUM(e, 2)\nENUM(e, 2)\n", NULL, 5, "e is there twice; the first is in line 4"},
    {HEAD "LABEL(e, A, 1)\n", NULL, 4, "no ENUM of that name is in this file"},
    {HEAD "ENUM(e, 2)\nLABEL(e, A, 4)\n", NULL, 5, "the value 4 does not fit the 2 bits of e"},
    {HEAD "ENUM(e, 2)\nLABEL(e, A, 1)\nLABEL(e, A, 2)\n", NULL, 6, "label A of e is there twice"},
    {HEAD "ENUM(e, 2)\nFIELD_V(r_t, a, e, always)\n", NULL, 5, "FIELD is for what has a type"},
    {HEAD "IN_FIELD(ab, a, b, 0, 1, always)\n", NULL, 4, "IN_FIELD is made of IN_S"},
    {HEAD "FIELD(r_t, a, 4, !b)\nFIELD(r_t, b, 2, always)\n", NULL, 4,
     "is qualified by b, which is no field of 1 bit of r_t"},
    {HEAD "FIELD(r_t, a, 4, b | c)\nFIELD(r_t, b, 1, always)\n", NULL, 4, "a is qualified by `b | c`; up to 8 names"},
    {HEAD "WHEN_IN(a, \"a\", !no_a)\n", NULL, 4, "WHEN_IN is made of a port's qualifier; write that: OUT(data, 8, !"},
    {HEAD "OUT_S(a, no_t, always)\n", NULL, 4, "and no FIELD, ENUM or ARRAY of it here"},
    {HEAD "ARRAY(a_a, 0, 8)\n", NULL, 4, "ARRAY(a_a, ...): 0 is 0: from 1 to 4096 elements"},
    {HEAD "ARRAY(a_a, 4097, 8)\n", NULL, 4, "4097 is 4097: from 1 to 4096 elements"},
    {HEAD "ARRAY(a_a, 2, 65)\n", NULL, 4, "65 is 65: an element has 1 to 64 bits; ARRAY_V is for more"},
    {HEAD "ARRAY_V(a_a, 2048, 1024)\n", NULL, 4, "2048 elements of 1024 bits: a port has 1 to 1048576 bits"},
    {HEAD "ARRAY(a_a, 2, N)\n", NULL, 4, "N is no parameter of this file"},
    {HEAD "ARRAY(a_a, 2, a_a)\n", NULL, 4, "a_a is made of itself"},
    {HEAD "ARRAY(a_a, 2, 1)\nARRAY(a_a, 2, 1)\n", NULL, 5, "a_a is there twice; the first is in line 4"},
    {HEAD "ARRAY(a_a, 2, 1)\nFIELD(a_a, f, 1, always)\n", NULL, 5, "a_a is an ARRAY in line 4"},
    {HEAD "ARRAY(out_t, 2, 1)\n", NULL, 4, "the array should be called otherwise"},
    {HEAD "ENUM(e, 2)\nARRAY_V(a_a, 2, e)\n", NULL, 5, "ARRAY is for elements that have a type"},
    {HEAD "TYPE_ARRAY(a, 2, 1)\n", NULL, 4, "TYPE_ARRAY is made of"},
    {HEAD "ARRAY(a_a, 2, 1)\nIN_S(a, a_a, always)\nIN(b, 1, a[2])\n", NULL, 6,
     "b is qualified by a[2], which is no port"},
    /* What every file has, once. */
    {"", NULL, 1, "no KIND entry: a port file states KIND, CLOCK and RESET"},
    {"KIND(moore)\nRESET(r, low, sync)\n", NULL, 1, "no CLOCK entry"},
    {HEAD "KIND(moore)\n", NULL, 4, "KIND is there twice; the first is in line 1"},
    {"KIND(mad)\n", NULL, 1, "KIND(mad): moore or mealy"},
    {"KIND(moore)\nCLOCK(c)\nRESET(r, up, sync)\n", NULL, 3,
     "RESET(r, up, sync): level low or high, kind async or sync"},
    {"KIND(moore)\nCLOCK(c)\nRESET(r, low, soon)\n", NULL, 3, "kind async or sync"},
    /* Entries: their words, arguments, comments and texts. */
    {"KIND(moore)\nCLOCK(c)\nRESET(r, low, sync)\nRESET(r, low, sync)\n", NULL, 4,
     "r is there twice; the first is in line 3"},
    {"KIND(moore)\nCLOCK(c)\nRESET(r, low, sync)\nRESET(none, 1)\n", NULL, 4,
     "RESET(none) says that there is no reset, and line 3 another thing"},
    {"KIND(moore)\nCLOCK(c)\nRESET(initial)\nRESET(r, low, sync)\n", NULL, 4, "RESET(initial) says that there"},
    {"KIND(mealy)\nCLOCK(c)\nRESET(none, 1)\nCLOCK(none)\n", NULL, 4, "CLOCK(none) says that there is no clock"},
    {"KIND(mealy)\nCLOCK(c)\nRESET(none, 1)\nCLOCK(c)\n", NULL, 4, "CLOCK(c) is there twice; the first is in line 2"},
    {"KIND(mealy)\nCLOCK(c)\nRESET(none)\n", NULL, 3, "takes 2 arguments, RESET(none, cycles); here are 1"},
    {"KIND(mealy)\nCLOCK(c)\nRESET(none, N)\n", NULL, 3, "N is no parameter of this file"},
    {"KIND(mealy)\nCLOCK(c)\nRESET(none, 4097)\n", NULL, 3, "from 0 to 4096 cycles after power-up are not compared"},
    {"KIND(mealy)\nCLOCK(c)\nRESET(initial, 3)\n", NULL, 3, "takes 1 arguments, RESET(initial); here are 2"},
    {"KIND(moore)\nCLOCK(none)\nRESET(none, 0)\n", NULL, 1, "without a clock depend on its inputs: KIND(mealy)"},
    {"KIND(mealy)\nCLOCK(none)\nRESET(r, low, sync)\n", NULL, 3, "has no state to reset: RESET(none, 0)"},
    {"KIND(mealy)\nCLOCK(none)\nRESET(none, 1)\n", NULL, 3, "has no state to reset: RESET(none, 0)"},
    {HEAD "INN(a, 1, always)\n", NULL, 4,
     "`INN` is not a port-file entry; one of KIND, CLOCK, RESET, RESET_IN, PARAM, PARAM_TEXT, PARAM_RULE, IN, OUT"},
    {HEAD "%\n", NULL, 4, "`%` is not a port-file entry"},
    {HEAD "IN a, 1, always)\n", NULL, 4, "IN should be followed by its arguments: IN(...)"},
    {HEAD "\nIN(a 1, always)\n", NULL, 5,
     "IN takes 3 arguments, IN(name, width, valid); here are 2: a comma may be missing"},
    {HEAD "IN(a, 1, always, 2)\n", NULL, 4, "here are 4: a comma may be too many"},
    {HEAD "IN()\n", NULL, 4, "here are 0"},
    {HEAD "IN(a, 1, always\nOUT(b, 1, always)\n", NULL, 4, "IN( is not closed; ) should end it"},
    {HEAD "IN(a, (1, always)\n", NULL, 4, "IN( is not closed"},
    {HEAD "/* IN(a, 1, always)\n\n", NULL, 4, "the comment that begins here is not closed; */ should end it"},
    {HEAD "IN(a, 1, /* always)\n", NULL, 4, "the comment that begins here is not closed"},
    {HEAD "PARAM(P, 1, 1, 2, \"no end)\n", NULL, 4, "\" has no partner on its line"},
    {HEAD "PARAM(P, 1, 1, 2, none)\n", NULL, 4, "the text none should be in quotes"},
    {HEAD "PARAM(P, 1, 1, 2, \"a */\")\n", NULL, 4, "should be in quotes, without */"},
    {HEAD "IN(2a, 1, always)\n", NULL, 4, "`2a` should be a name"},
    {HEAD "IN(a b, 1, always)\n", NULL, 4, "`a b` should be a name"},
    /* Widths. */
    {HEAD "IN(a, one, always)\n", NULL, 4,
     "IN(a, ...): the width should be a number: one is no parameter of this file and no constant of a list"},
    {HEAD "IN(a, 0, always)\n", NULL, 4, "IN(a, ...): 0 is 0: a scalar port has 1 to 64 bits; IN_V is for more"},
    {HEAD "PROBE(a, 13 * 5, always)\n", NULL, 4, "13 * 5 is 65: a scalar port has 1 to 64 bits; PROBE_V is for more"},
    {HEAD "IN_V(a, 2 - 2, always)\n", NULL, 4, "2 - 2 is 0: a port has 1 to 1048576 bits"},
    {HEAD "IN_V(a, 1 << 21, always)\n", NULL, 4, "is 2097152: a port has 1 to"},
    {HEAD "IN_S(a, pkt, always)\n", NULL, 4, "there is no struct pkt in the lists of rtl/"},
    {HEAD "PARAM(W, 8, 1, 80, \"w\")\nOUT(a, W, always)\n", "W=65", 5, "W is 65: a scalar port has 1 to 64 bits"},
    /* Names that are there twice. In and out may share one. */
    {HEAD "IN(a, 1, always)\nIN_V(a, 2, always)\n", NULL, 5, "a is there twice; the first is in line 4"},
    {HEAD "OUT(a, 1, always)\nPROBE(a, 2, always)\n", NULL, 5, "a is there twice"},
    {"KIND(moore)\nCLOCK(a_i)\nRESET(r, low, sync)\nIN(a, 1, always)\n", NULL, 4,
     "a is there twice; the first is in line 2"},
    {"KIND(moore)\nCLOCK(a)\nRESET(a, low, sync)\n", NULL, 3, "a is there twice; the first is in line 2"},
    /* Qualified by what is no such port. */
    {HEAD "OUT(v, 1, always)\nIN(a, 1, v)\n", NULL, 5,
     "a is qualified by v, which is no port of that direction; name a 1-bit port or write always"},
    {HEAD "IN(v, 2, always)\nIN(a, 1, v)\n", NULL, 5,
     "a is qualified by v, which has 2 bits; name a 1-bit port or write always"},
    {HEAD "IN_V(v, 1, always)\nIN(a, 1, v)\n", NULL, 5, "name a 1-bit port"},
    /* Ports of elements. */
    {HEAD "IN_N(a, 2, 8, v)\nIN(v, 3, always)\n", NULL, 4,
     "a is qualified by v, which has 3 bits; a scalar port with a bit for each of 2 elements"},
    {HEAD "IN_N(a, 2, 8, always)\n", NULL, 4,
     "IN_N(a, ...): is qualified by a port with a bit for each element; IN_V is for what is always"},
    {HEAD "IN(v, 1, always)\nPROBE_N(a, 1, 8, v)\n", NULL, 5,
     "a is qualified by v, which is no port of that direction"},
    {HEAD "OUT_N(a, 65, 8, v)\n", NULL, 4, "OUT_N(a, ...): 65 is 65: from 1 to 64 elements"},
    {HEAD "OUT_N(a, 0, 8, v)\n", NULL, 4, "from 1 to 64 elements"},
    {HEAD "OUT_N(a, 2, 0, v)\n", NULL, 4, "0 is 0: a port has 1 to"},
    {HEAD "OUT_N(a, 2, 1 << 20, v)\n", NULL, 4, "2 elements of 1048576 bits: a port has 1 to 1048576 bits"},
    {HEAD "OUT_N(a, many, 8, v)\n", NULL, 4, "the number of elements should be a number: many is no parameter"},
    /* Errors and bits that are off. */
    {HEAD "IN(e, 1, always)\nERROR(e)\n", NULL, 5, "ERROR(e): no OUT of that name is in this file"},
    {HEAD "OUT(ok, 1, always)\nOUT(x, 1, ok)\nOFF(ok, 1)\n", NULL, 6,
     "OFF(ok, 1): names no parameter, so that what ok qualifies is never compared"},
    {HEAD "OUT(ok, 1, always)\nOUT(x, 1, ok)\nPARAM(A, 1, 0, 9, \"x\")\nOFF(ok, A >= 0)\n", NULL, 7,
     "OFF(ok, A >= 0): holds with all values of its parameters"},
    {HEAD "OUT(ok, 1, always)\nOUT(x, 1, ok)\nPARAM(A, 1, 0, 9, \"x\")\nPARAM(B, 1, 0, 9, \"x\")\n"
          "OFF(ok, A != B || B == A)\n",
     NULL, 8, "OFF(ok, A != B || B == A): holds with all"},
    {HEAD "OUT(ok, 4, always)\nOUT_N(x, 4, 2, ok)\nPARAM(A, 1, 0, 1, \"x\")\nOFF(ok, A ? 12 : 8)\n", NULL, 7,
     "OFF(ok, A ? 12 : 8): holds with all values of its parameters for some bits"},
    /* Several that qualify, and !. */
    {HEAD "IN(a, 1, v | w)\n", NULL, 4,
     "a is qualified by `v | w`; up to 8 names joined by &, each with or without ! in front of it, would be right "
     "(valid & !err), or always"},
    {HEAD "IN(a, 1, (v))\n", NULL, 4, "a is qualified by `(v)`; up to 8 names"},
    {HEAD "IN(a, 1, v && w)\n", NULL, 4, "a is qualified by `v && w`"},
    {HEAD "IN(a, 1, ~v)\n", NULL, 4, "a is qualified by `~v`"},
    {HEAD "IN(a, 1, !!v)\n", NULL, 4, "a is qualified by `!!v`"},
    {HEAD "IN(a, 1, v &)\n", NULL, 4, "a is qualified by `v &`"},
    {HEAD "IN(a, 1, 1)\n", NULL, 4, "a is qualified by `1`"},
    {HEAD "IN(a, 1, b&b&b&b&b&b&b&b&b)\n", NULL, 4, "up to 8 names"},
    {HEAD "IN(v, 1, always)\nIN(a, 1, v & w)\n", NULL, 5, "a is qualified by w, which is no port of that direction"},
    {HEAD "IN(v, 1, always)\nOUT(a, 1, !v)\n", NULL, 5, "a is qualified by v, which is no port of that direction"},
    {HEAD "IN(v, 1, always)\nIN(a, 1, !v & v)\n", NULL, 5, "a is qualified by `!v & v`, where v is twice"},
    {HEAD "OUT(v, 1, always)\nOUT(w, 2, always)\nOUT_N(a, 2, 4, !w & v)\n", NULL, 6,
     "a is qualified by v, which has 1 bits; a scalar port with a bit for each of 2 elements"},
    {HEAD "OUT(ok, 1, always)\nOUT(x, 1, !ok)\nOFF(ok, 1)\n", NULL, 6, "no OUT or PROBE is qualified by ok"},
    {HEAD "OUT(a, 1, v & !b)\nOUT(b, 1, !a)\nOUT(v, 1, always)\n", NULL, 4,
     "a is qualified by itself, by way of v & !b"},
    /* Inputs that count in a reset. */
    {HEAD "RESET_IN(a)\n", NULL, 4, "RESET_IN(a): no IN of that name is in this file"},
    {HEAD "OUT(a, 1, always)\nRESET_IN(a)\n", NULL, 5, "RESET_IN(a): no IN of that name"},
    {HEAD "IN(v, 1, always)\nIN(a, 1, v)\nRESET_IN(a)\n", NULL, 6, "RESET_IN(a): it is qualified by v"},
    {HEAD "IN(a, 1, always)\nRESET_IN(a)\nRESET_IN(a)\n", NULL, 6, "RESET_IN(a) is there twice"},
    {"KIND(moore)\nCLOCK(clk)\nRESET(none, 2)\nIN(a, 1, always)\nRESET_IN(a)\n", NULL, 5,
     "RESET_IN(a): the block has no reset"},
    /* Rules across parameters. */
    {TWO "PARAM_RULE(A % B == 0, \"B divides A\")\n", "A=7", 6, "B divides A: A % B == 0 does not hold for A=7, B=2"},
    {TWO "PARAM_RULE(A < B, \"few\")\n", NULL, 6, "few: A < B does not hold for A=4, B=2"},
    {TWO "PARAM_RULE(A != 5 && A != 5, \"not five\")\n", "A=5", 6, "does not hold for A=5"},
    {TWO "PARAM_RULE(A < C, \"x\")\n", NULL, 6, "should be a condition on parameters: C is no parameter of this file"},
    {TWO "PARAM_RULE(A <, \"x\")\n", NULL, 6, "A <: ends where a number should be"},
    {TWO "PARAM_RULE(1, \"x\")\n", NULL, 6, "PARAM_RULE(1, ...): names no parameter"},
    {TWO "PARAM_RULE(A < B)\n", NULL, 6, "PARAM_RULE takes 2 arguments, PARAM_RULE(rule, text); here are 1"},
    {TWO "PARAM_RULE(A > B, A)\n", NULL, 6, "the text A should be in quotes"},
    {TWO "PARAM_TEXT(M, \"B\", \"A B\", \"m\")\nPARAM_RULE(M == 1 || A == 0, \"B alone\")\n", "M=A", 7,
     "B alone: M == 1 || A == 0 does not hold for M=A, A=4"},
    /* Parameters that are texts. */
    {HEAD "PARAM_TEXT(M, \"A\", \"B C\", \"m\")\n", NULL, 4,
     "PARAM_TEXT(M, ...): the value \"A\" should be one of \"B C\", in quotes"},
    {HEAD "PARAM_TEXT(M, A, \"A C\", \"m\")\n", NULL, 4, "the value A should be one of"},
    {HEAD "PARAM_TEXT(M, \"A\", A, \"m\")\n", NULL, 4, "the values A should be words in quotes"},
    {HEAD "PARAM_TEXT(M, \"A\", \"\", \"m\")\n", NULL, 4, "should be words in quotes"},
    {HEAD "PARAM_TEXT(M, \"A\", \"A B=2\", \"m\")\n", NULL, 4,
     "the value B=2 should have up to 32 letters, digits and _.+-/"},
    {HEAD "PARAM_TEXT(M, \"A-B\", \"A-B A_B\", \"m\")\n", NULL, 4, "two values are M_A_B for the model"},
    {HEAD "PARAM_TEXT(EOF, \"A\", \"A\", \"m\")\n", NULL, 4, "PARAM_TEXT(EOF, ...): the model has it as a macro"},
    {HEAD "PARAM_TEXT(M, \"A\", \"A B\", \"m\")\n", "M=C", 0, "M = C: one of \"A B\" (\"m\")"},
    {HEAD "PARAM(O, -4, -128, 127, \"o\")\n", "O=-129", 0, "O = -129: from -128 to 127"},
    /* Circles. */
    {HEAD "OUT(a, 1, b)\nOUT(b, 1, a)\n", NULL, 4,
     "a is qualified by itself, by way of b; one of them should be always valid"},
    {HEAD "IN(a, 1, a)\n", NULL, 4, "a is qualified by itself, by way of a"},
    /* Parameters whose names mean something else in the model. */
    {HEAD "PARAM(NDEBUG, 1, 0, 1, \"x\")\n", NULL, 4,
     "PARAM(NDEBUG, ...): the model has it as a macro, and the name is assert.h's: it switches off the model's "
     "assertions"},
    {HEAD "PARAM(A, 1, 0, 1, \"x\")\nPARAM(EOF, 1, 0, 1, \"x\")\n", NULL, 5,
     "PARAM(EOF, ...): the model has it as a macro, and the name is a macro of C's library"},
    {HEAD "PARAM(UINT_FAST8_MAX, 1, 0, 1, \"x\")\n", NULL, 4, "the name is a macro of stdint.h"},
    {HEAD "PARAM(OUT, 1, 0, 1, \"x\")\n", NULL, 4, "the name is a word of port files"},
    {HEAD "PARAM(HAVE_PROBES, 1, 0, 1, \"x\")\n", NULL, 4, "the name is a macro of Lockstack's"},
    {HEAD "PARAM(_Bits, 1, 0, 1, \"x\")\n", NULL, 4, "the name is the compiler's"},
    {HEAD "PARAM(int, 1, 0, 1, \"x\")\n", NULL, 4, "the name is a word of C"},
    {HEAD "OUT(ok, 1, always)\nOFF(ok, 1)\n", NULL, 5,
     "OFF(ok, ...): no OUT or PROBE is qualified by ok; name one that says when another has a meaning"},
    {HEAD "IN(ok, 1, always)\nIN(x, 1, ok)\nOFF(ok, 1)\n", NULL, 6, "OFF(ok, ...): no OUT or PROBE is qualified by ok"},
    {HEAD "OUT(ok, 1, always)\nOUT(x, 1, ok)\nOFF(ok, No == 0)\n", NULL, 6,
     "OFF(ok, ...): the bits that are off should be a number: No is no parameter"},
    /* Parameters: their values, bounds and settings. */
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\nPARAM(P, 1, 1, 2, \"p\")\n", NULL, 5, "P is there twice"},
    {HEAD "PARAM(P, 3, 1, 2, \"p\")\n", NULL, 4,
     "PARAM(P, ...): the value 3 should be from the least, 1, to the most, 2"},
    {HEAD "PARAM(P, Q, 1, 2, \"p\")\n", NULL, 4, "the value should be a number: Q is no parameter"},
    {HEAD "PARAM(P, Q, 1, 2, \"p\")\nPARAM(Q, P, 1, 2, \"q\")\n", NULL, 4, "is made of itself"},
    {HEAD "PARAM(P, 1, x, 2, \"p\")\n", NULL, 4, "the least value should be a number"},
    {HEAD "PARAM(P, 1, 1, 2 3, \"p\")\n", NULL, 4,
     "the most value should be a number: 2 3: an operator should be at `3`"},
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\n", "P=3", 0, "P = 3: from 1 to 2 (\"p\")"},
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\n", "P=two", 0, "P = two: a whole number from 1 to 2 (\"p\")"},
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\n", "P=", 0, "P = : a whole number from 1 to 2"},
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\n", "P=1x", 0, "a whole number"},
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\n", "P=99999999999999999999", 0, "a whole number"},
    {HEAD "PARAM(P, 1, 1, 2, \"p\")\nPARAM(Q, 1, 1, 2, \"q\")\n", "R=1", 0,
     "port_file_x.ports: no parameter R; it has: P, Q"},
    /* Coverage. */
    {HEAD "COVER(Big, 1, \"t\")\n", NULL, 4, "COVER(Big): a name is lower case, a letter first"},
    {HEAD "COVER_LET(a, 1)\nCOVER(a, 1, \"t\")\n", NULL, 5, "coverage entry a is there twice"},
    {HEAD "COVER_AXIS(a, 1, \"t\", \"l\")\nCOVER_CROSS(b, a, c, \"t\")\nCOVER_AXIS(c, 1, \"t\", \"l\")\n", NULL, 5,
     "COVER_CROSS(b): c is no COVER_AXIS before it"},
    {HEAD "COVER_AXIS(a, 1, \"t\")\n", NULL, 4, "a label for each value of the index should follow"},
    {HEAD "COVER_AXIS(a, 1, \"t\", l)\n", NULL, 4, "the label l should be in quotes"},
    /* The preprocessor. */
    {HEAD "#if Depth > 1\n#endif\n", NULL, 4,
     "#if: Depth is not a number; the ports of a block are the same whatever its parameters are"},
    {HEAD "#if 1\n", NULL, 4, "the condition that begins here has no #endif"},
    {HEAD "#endif\n", NULL, 4, "#endif without an #if before it"},
    {HEAD "#else\n", NULL, 4, "#else without an #if before it"},
    {HEAD "#if 0\n#else\n#elif 1\n#endif\n", NULL, 6, "#elif after #else"},
    {HEAD "#include <stdint.h>\n", NULL, 4, "#include should be followed by a file in quotes"},
    {HEAD "#include \"none.ports\"\n", NULL, 4, "none.ports: no such file beside this one"},
    {HEAD "#pragma once\n", NULL, 4, "#pragma is no directive of a port file"},
    {HEAD "#error not yet\n", NULL, 4, "#error not yet"},
    {HEAD "#define 2\n", NULL, 4, "#define should be followed by a name"},
    {HEAD "#define M(a, 3) a\n", NULL, 4, "`3` is not the name of an argument"},
    {HEAD "#define M(a, b) IN(a, b, always)\n\nM(x)\n", NULL, 6, "M takes 2 arguments; here are 1"},
    {HEAD "#define M M\nIN(a, M, always)\n", NULL, 5, "macros are nested too deeply"},
    {HEAD "#define M IN(a, 1, always) M\nM\n", NULL, 5, "nested too deeply"},
    {HEAD "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\nIN(a, B(B(B(1 1 1 1 1 1))), always)\n", NULL, 6,
     "longer than"},
    {HEAD "#define A()\n#define B() A()A()A()A()A()A()A()A()A()A()\n#define C() B()B()B()B()B()B()B()B()B()B()\n"
          "#define D() C()C()C()C()C()C()C()C()C()C()\n#define E() D()D()D()D()D()D()D()D()D()D()\n"
          "IN(a, E()E()E()E()E()E()E()E()E()E()E(), always)\n",
     NULL, 9, "more than 100000 uses of macros"},
    {HEAD "#define M(a) #b\nIN(x, M(1), always)\n", NULL, 5, "# should be before an argument's name"},
};

/* One row for each mistake: text, setting, line (0: none), and part of the message, which must
 * be one line. */
static void mistakes_are_refused_with_their_line(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    trouble_t trouble;
    char place[64];
    port_file_t file;
    if (read_ports(&file, wrong[i].text, wrong[i].setting, &trouble))
      fail_msg("read without a word: %s", wrong[i].text);
    snprintf(place, sizeof place, "port_file_x.ports:%u: ", wrong[i].line);
    if (wrong[i].line && strncmp(trouble.text, place, strlen(place)))
      fail_msg("%s: \"%s\" does not begin with \"%s\"", wrong[i].text, trouble.text, place);
    if (!strstr(trouble.text, wrong[i].says))
      fail_msg("%s: \"%s\" does not say \"%s\"", wrong[i].text, trouble.text, wrong[i].says);
    if (strchr(trouble.text, '\n')) fail_msg("more than a line: %s", trouble.text);
    port_file_free(&file);
  }
}

/* No file, a byte 0, a device, a folder: each is refused by its name. */
static void files_that_are_none(void **state) {
  (void)state;
  trouble_t trouble = {0};
  port_file_t file;
  assert_false(port_file_read(&file, &tree, "no_such.ports", NULL, 0, &trouble));
  assert_string_equal(trouble.text, "no_such.ports: No such file or directory");
  port_file_free(&file);
  FILE *zero = fopen("port_file_zero.ports", "w");
  fwrite("KIND(moore)\n\0", 1, 13, zero);
  fclose(zero);
  assert_false(port_file_read(&file, &tree, "port_file_zero.ports", NULL, 0, &trouble));
  assert_string_equal(trouble.text, "port_file_zero.ports:2: a byte 0 is in it; a port file should be text");
  port_file_free(&file);
  unlink("port_file_zero.ports");
  assert_false(port_file_read(&file, &tree, "/dev/zero", NULL, 0, &trouble));
  assert_string_equal(trouble.text, "/dev/zero: should be a file");
  port_file_free(&file);
  assert_false(port_file_read(&file, &tree, "/dev", NULL, 0, &trouble));
  port_file_free(&file);
}

/* A file that includes itself twice doubles what is read with every level. Its bytes, near
 * 300000 each time, reach 16 MB before the nesting does. */
static void files_do_not_grow_without_end(void **state) {
  (void)state;
  trouble_t trouble;
  char text[300000];
  port_file_t file;
  snprintf(text, sizeof text, "#include \"port_file_x.ports\"\n#include \"port_file_x.ports\"\n%*s",
           (int)sizeof text - 64, "");
  assert_false(read_ports(&file, text, NULL, &trouble));
  assert_non_null(strstr(trouble.text, "more than 16 MB are read with it"));
  port_file_free(&file);
}

/* Each parameter of each block at its least and at its most: read, or refused in one line with a
 * place. */
static void the_trees_are_read_at_every_bound(void **state) {
  (void)state;
  trouble_t trouble;
  char setting[128];
  glob_t found;
  assert_int_equal(glob(LOCKSTACK_SOURCE_DIR "/rtl/*/*.ports", 0, NULL, &found), 0);
  assert_true(found.gl_pathc >= 60);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    port_file_t file, other;
    if (!port_file_read(&file, &tree, found.gl_pathv[i], NULL, 0, &trouble)) fail_msg("%s", trouble.text);
    for (const port_entry_t *e = file.text.entries; e < file.text.entries + file.text.num_entries; e++)
      for (int bound = 2; bound <= 3 && port_entry_is(e, "PARAM"); bound++) {
        const char *const settings = setting, *number = e->args[bound];
        /* a number of its family's lists */
        const port_entry_t *named = port_view_name(&file.view, "NAME", number, strlen(number));
        snprintf(setting, sizeof setting, "%s=%s", e->args[0], named ? named->args[2] : number);
        const bool ok = port_file_read(&other, &tree, found.gl_pathv[i], &settings, 1, &trouble);
        if (!ok && strncmp(trouble.text, found.gl_pathv[i], strlen(found.gl_pathv[i])))
          fail_msg("%s: %s", setting, trouble.text);
        port_file_free(&other);
      }
    port_file_free(&file);
  }
  globfree(&found);
}

/* Expands a template for these ports. The caller frees out->at. */
static bool expand_template(const char *template, const char *ports, port_buffer_t *out, trouble_t *trouble) {
  port_file_t file;
  write_text_file("port_file_t.in", template);
  if (!read_ports(&file, ports, NULL, trouble)) fail_msg("%s", trouble->text);
  port_add(out, "", 0);
  const bool ok = port_template("port_file_t.in", &file.view, out, trouble);
  port_file_free(&file);
  unlink("port_file_t.in");
  return ok;
}

/* %each, %or, %if, %name and %verilog, and forms of values such as :upper and :digits. */
static void templates_are_expanded(void **state) {
  (void)state;
  static const char ports[] =
      HEAD "PARAM(Rows, 0x10, 1, 64, \"rows\")\nIN(a, CLOG2(Rows), always)\nIN_S(b, pkt_hdr, a_v)\nOUT(c, 1, always)\n"
           "IN(a_v, PKT_STACK_BITS - 3, always)\n";
  static const struct {
    const char *template, *makes;
  } cases[] = {
      {"%# a comment\nx\n%each IN\n@,@ @name@ [@width@]\n%or IN_S\n@,@ @name@ {@width@} @type@\n%end\n",
       "x\n  a [CLOG2(Rows)]\n, b {PKT_HDR_W} pkt_hdr\n, a_v [PKT_STACK_BITS - 3]\n"},
      {"%verilog\n%each IN\n@width@\n%or IN_S\n@verilog@ @width@\n%end\n",
       "$clog2(Rows)\npkt_hdr_t nsu_pkg::PKT_HDR_W\nnsu_pkg::STACK_BITS - 3\n"},
      {"%each PARAM\n@name:upper@ @value:digits@ @text:plain@ @number@\n%end\n@block@ @block:upper@\n",
       "ROWS 10 rows 16\nport_file_x PORT_FILE_X\n"},
      {"%if PROBE\nprobes\n%end\n%if OUT PROBE\n%each CLOCK\n@name@\n%end\n%each RESET\n@level:level@\n%end\n%end\n",
       "clk\n1\n"},
      {"%name c d\n%each OUT\n@name@\n%end\n%each V_INCLUDE\n@file@\n%end", "d\nnsu_types.svh\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    port_buffer_t out = {0};
    trouble_t trouble = {0};
    if (!expand_template(cases[i].template, ports, &out, &trouble)) fail_msg("%s", trouble.text);
    assert_string_equal(out.at, cases[i].makes);
    free(out.at);
  }
}

/* A constant of a family's lists has a value, a name in Verilog, and headers for C. Values are
 * those of the lists in rtl/: 40 bits of an address, 6 of a warp, and so on. */
static void families_have_names(void **state) {
  (void)state;
  static const struct {
    const char *name, *makes;
  } cases[] = {
      {"PKT_ADDR_BITS", "nsu_packet.h nsu_isa.h 40 nsu_pkg::ADDR_BITS\n"},
      {"LSU_warp_W", "lsu_msg.h 6 lsu_pkg::WARP_W\n"},
      {"FLIT_vc_W", "router_header.h 4 router_pkg::VC_W\n"},
      {"FLIT_route_W", "router_header.h 4 router_pkg::ROUTE_W\n"},
      {"FLIT_dest_W", "router_header.h 10 router_pkg::DEST_W\n"},
      {"FLIT_hops_W", "router_header.h 4 router_pkg::HOPS_W\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    port_buffer_t out = {0};
    trouble_t trouble;
    char ports[256];
    snprintf(ports, sizeof ports, HEAD "IN(a, %s, always)\n", cases[i].name);
    if (!expand_template("%each C_INCLUDE\n@file@\n%end\n%verilog\n%each IN\n@number@ @width@\n%end\n", ports, &out,
                         &trouble))
      fail_msg("%s", trouble.text);
    for (char *end = strchr(out.at, '\n'); end && end[1]; end = strchr(end, '\n')) *end = ' ';
    assert_string_equal(out.at, cases[i].makes);
    free(out.at);
  }
}

/* Each mistake in a template, with the template's line. */
static void wrong_templates_are_refused(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"a\n%each IN\nb\n", "port_file_t.in:2: %each IN has no %end"},
      {"%each\n%end\n", "port_file_t.in:1: kinds of entries should follow"},
      {"%each INN\n%end\n", "port_file_t.in:1: INN is no kind of entry here"},
      {"%each IN\n@size@\n%end\n", "port_file_t.in:2: @size@ is nothing of IN"},
      {"@name@\n", "port_file_t.in:1: @name@ is nothing of a line outside of %each"},
      {"%each IN\n@name:lower@\n%end\n",
       "port_file_t.in:2: @name:lower@: a form is upper, digits, plain, level, literal, constant, member, "
       "verilog, quoted or scope"},
      {"a @block\n", "port_file_t.in:1: @ has no partner on its line"},
      {"%each IN\n%end\n%other\n", "port_file_t.in:3: %other: a line that begins with % is one of"},
      {"%name a\n", "port_file_t.in:1: %name should be followed by a name and its other name"},
      {"%if IN\n%or OUT\n%end\n", "port_file_t.in:1: %if has no %or"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    port_buffer_t out = {0};
    trouble_t trouble = {0};
    assert_false(expand_template(cases[i][0], HEAD "IN(a, 1, always)\n", &out, &trouble));
    if (strncmp(trouble.text, cases[i][1], strlen(cases[i][1])))
      fail_msg("\"%s\" does not begin with \"%s\"", trouble.text, cases[i][1]);
    free(out.at);
  }
}

/* Compares ports with a module of two inputs besides clock and reset, and an output of three
 * bits, as Verilator's class describes it. */
static bool check_against_rtl(const char *ports, const char *class, trouble_t *trouble) {
  port_file_t file;
  if (!read_ports(&file, ports, NULL, trouble)) fail_msg("%s", trouble->text);
  write_text_file("port_file_rtl.sv",
                  "// a_i\nmodule port_file_rtl(\n  input clk,\n  input rst,\n  input a_i,\n  output [2:0] b_o);\n");
  if (class) write_text_file("port_file_class.h", class);
  const bool result = port_check(&file, "port_file_rtl.sv", "port_file_class.h", trouble);
  unlink("port_file_class.h"), unlink("port_file_rtl.sv");
  port_file_free(&file);
  return result;
}

/* Widths, directions and names of RTL and port file must agree; the message has both places. */
static void the_rtl_is_held_against_it(void **state) {
  (void)state;
#define CLASS "class x {\n  VL_IN8(&clk,0,0);\n  VL_IN8(&rst,0,0);\n"
  static const char class[] = CLASS "  VL_IN8(&a_i,0,0);\n  VL_OUT8(&b_o,2,0);\n";
  static const struct {
    const char *ports, *class, *says;
  } cases[] = {
      {HEAD "IN(a, 2, always)\nOUT(b, 3, always)\n", class,
       "port_file_x.ports:4: IN(a, ...): a_i has 2 bits here and 1 in port_file_rtl.sv:5; both"},
      {HEAD "IN(a, 1, always)\nPROBE(c, 3, always)\n", class,
       "port_file_x.ports:5: PROBE(c, ...): module port_file_rtl has no port c_o"},
      {HEAD "IN(A, 1, always)\nOUT(b, 3, always)\n", class,
       "has no port A_i; did you mean its a_i (port_file_rtl.sv:5)?"},
      {HEAD "IN(a, 1, always)\n", class,
       "port_file_rtl.sv:6: output b_o is not in port_file_x.ports; add an entry for it"},
      {HEAD "IN(a, 1, always)\n", CLASS "VL_OUT8(&a_i,0,0);\n",
       "a_i is an output in port_file_rtl.sv:5; it should be an input"},
      {HEAD "IN(a, 1, always)\n", CLASS "VL_IN8((&a_i)[4],0,0);\n",
       "IN(a, ...): a_i has 1 bits here and 4 elements of 1 bits in port_file_rtl.sv:5; both"},
      {HEAD "ARRAY(a_a, 2, 8)\nIN_S(a, a_a, always)\n", CLASS "VL_IN8((&a_i)[2][2],6,0);\n",
       "port_file_x.ports:5: IN_S(a, ...): a_i has 16 bits here and 4 elements of 7 bits in port_file_rtl.sv:5"},
      {"KIND(moore)\nCLOCK(c)\nRESET(rst, low, sync)\n", class,
       "port_file_x.ports:2: CLOCK(c): module port_file_rtl has no port c"},
  };
  trouble_t trouble = {0};
  assert_true(check_against_rtl(HEAD "IN(a, 1, always)\nOUT(b, 3, always)\n", class, &trouble));
  assert_true(check_against_rtl(HEAD "ARRAY(a_a, 4, 7)\nIN_S(a, a_a, always)\nOUT_V(b, 280, always)\n",
                                CLASS "VL_IN8((&a_i)[4],6,0);\nVL_OUTW((&b_o)[2][2],69,0,3);\n", &trouble));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(check_against_rtl(cases[i].ports, cases[i].class, &trouble));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    if (!strstr(trouble.text, cases[i].says)) fail_msg("\"%s\" does not say \"%s\"", trouble.text, cases[i].says);
  }
  assert_false(check_against_rtl(HEAD, NULL, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
  assert_string_equal(trouble.text, "port_file_class.h: no ports were found in it");
}

/* Ports may have other names in the RTL; each such name must belong to a port and be used once. */
static void the_rtl_has_names_of_its_own(void **state) {
  static const char text[] = HEAD "IN(a, 1, always)\nIN(b, 2, a)\nOUT(b, 3, always)\nOUT_V(c, 65, always)\n";
  static const struct {
    const char *pin, *says;
  } cases[] = {{"d_i=x", "port_file_x.ports:1: no port d_i is in this file, as which the RTL's x is named"},
               {"a_o=x", "no port a_o is in this file"},
               {"a=x", "no port a is in this file"},
               {"c_o=b_o", "port_file_x.ports:7: c is b_o in the RTL, and so is b"},
               {"a_i=clk", "port_file_x.ports:4: a is clk in the RTL, and so is clk"}};
  const char *const pins[] = {"b_i=left", "b_o=right"};
  trouble_t trouble = {0};
  port_file_t file;
  (void)state;
  assert_true(read_ports(&file, text, NULL, &trouble));
  assert_string_equal(find_entry(&file, "IN", "a")->pin, "a_i");
  assert_true(port_file_pins(&file, pins, 2, false, &trouble));
  assert_string_equal(find_entry(&file, "IN", "b")->pin, "left");
  assert_string_equal(find_entry(&file, "OUT", "b")->pin, "right");
  assert_string_equal(find_entry(&file, "OUT_V", "c")->pin, "c_o");
  assert_true(port_file_pins(&file, pins, 2, true, &trouble));
  assert_string_equal(find_entry(&file, "OUT_V", "c")->pin, "c");
  assert_string_equal(find_entry(&file, "CLOCK", "clk")->pin, "clk");
  port_file_free(&file);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_true(read_ports(&file, text, NULL, &trouble));
    assert_false(port_file_pins(&file, &cases[i].pin, 1, false, &trouble));
    if (!strstr(trouble.text, cases[i].says)) fail_msg("\"%s\" does not say \"%s\"", trouble.text, cases[i].says);
    port_file_free(&file);
  }
}

/* All parameters, or those that differ from their defaults, as a text; or the refusal. */
static void check_params(const char *settings, port_params_t which, bool ok, const char *says) {
  static const char ports[] =
      HEAD "PARAM(Depth, 4, 1, 64, \"x\")\nPARAM(Regs, PKT_MAX_CMD_REGS,\n  1, PKT_MAX_CMD_REGS, \"x\")\n"
           "PARAM(Off, -3, -9, Depth, \"x\")\n";
  char text[PORT_PARAMS_TEXT];
  trouble_t trouble;
  write_text_file("port_file_x.ports", ports);
  assert_int_equal(port_params(LOCKSTACK_SOURCE_DIR, "port_file_x.ports", settings, which, text, sizeof text, &trouble),
                   ok);
  unlink("port_file_x.ports");
  assert_string_equal(ok ? text : trouble.text, says);
}

/* A later setting of a parameter replaces an earlier one, and bounds may be other parameters:
 * Off's most is Depth, 4 by default. */
static void parameters_are_all_or_those_changed(void **state) {
  (void)state;
  check_params("", PORT_PARAMS_ALL, true, "Depth=4,Regs=7,Off=-3");
  check_params("Off=5 Depth=9,Depth=8", PORT_PARAMS_ALL, true, "Depth=8,Regs=7,Off=5");
  check_params("Off=-3,Regs=2,Depth=4", PORT_PARAMS_CHANGED, true, "Regs=2");
  check_params("", PORT_PARAMS_CHANGED, true, "");
  check_params("Regs=8", PORT_PARAMS_ALL, false, "Regs = 8: from 1 to 7 (\"x\")");
  check_params("Off=5", PORT_PARAMS_CHANGED, false, "Off = 5: from -9 to 4 (\"x\")");
  check_params("Width=8", PORT_PARAMS_ALL, false, "port_file_x.ports: no parameter Width; it has: Depth, Regs, Off");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expands_structs),
      cmocka_unit_test(expands_arrays),
      cmocka_unit_test(parameters_are_all_or_those_changed),
      cmocka_unit_test(widths_are_numbers),
      cmocka_unit_test(the_language_is_cpps),
      cmocka_unit_test(other_files_are_included),
      cmocka_unit_test(texts_and_negative_numbers),
      cmocka_unit_test(rules_across_parameters),
      cmocka_unit_test(qualifiers_become_numbers),
      cmocka_unit_test(mistakes_are_refused_with_their_line),
      cmocka_unit_test(files_that_are_none),
      cmocka_unit_test(the_trees_are_read_at_every_bound),
      cmocka_unit_test(templates_are_expanded),
      cmocka_unit_test(families_have_names),
      cmocka_unit_test(wrong_templates_are_refused),
      cmocka_unit_test(the_rtl_is_held_against_it),
      cmocka_unit_test(the_rtl_has_names_of_its_own),
      cmocka_unit_test(files_do_not_grow_without_end),
  };
  return cmocka_run_group_tests(tests, open_tree, close_tree);
}
