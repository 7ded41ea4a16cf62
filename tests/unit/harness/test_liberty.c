/* SPDX-License-Identifier: Apache-2.0
 *
 * Liberty and LEF files: which cells are used, several files as one library, cells by name, and one
 * line for each thing that is wrong with a file.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cells.h"
#include "liberty_named.h"

static trouble_t trouble;

static const char gates[] =
    "/* a comment { */\nlibrary (x) {\n  time_unit : \"1ps\" ;\n  define (a, b, c);\n  values (\"1, 2\", \\\n \"3\");\n"
    "  lu_table_template (t) { index_1 (\"1, 2\"); }\n"
    "  cell (INV) {\n    area : 1.5;\n    pin (A) { direction : input; }\n"
    "    pin (Y) { direction : output; function : \"!A\"; internal_power () { related_pin : \"A\"; } }\n  }\n"
    "  cell (FILL) { area : 1; }\n"
    "  cell (NO) { area : 1; dont_use : true; pin (Y) { direction : output; function : \"A\"; } }\n"
    "  cell (TRI) { pin (Y) { direction : output; function : \"A\"; three_state : \"E\"; } }\n";
static const char flop[] =
    "  cell (\"DFF\") { area : 6; ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; }\n"
    "    pin (C) { direction : input; } pin (D) { direction : input } pin (Q) { direction : output; function : "
    "\"IQ\"; } }\n";

/* Writes a file of three parts and returns its name. */
static const char *write_parts(const char *name, const char *a, const char *b, const char *c) {
  FILE *file = fopen(name, "w");
  fprintf(file, "%s%s%s", a, b, c), fclose(file);
  return name;
}

/* One file of this text; "": all is well. */
static const char *liberty_refusal(const char *a, const char *b, const char *c) {
  liberty_t l = {0};
  trouble = (trouble_t){.text = ""};
  const bool ok = liberty_add(&l, write_parts("liberty.lib", a, b, c), "x.lib", &trouble) && liberty_end(&l, &trouble);
  liberty_free(&l);
  assert_true(ok == !*trouble.text);
  return trouble.text;
}

/* Five cells, of which two are used: fillers, cells with dont_use and tri-state outputs are not.
 * Areas are those of the texts above. What synthesis does not need is left out of the text, such
 * as internal_power. */
static void cells_with_functions_are_used(void **state) {
  (void)state;
  liberty_t l = {0};
  assert_true(liberty_add(&l, write_parts("liberty.lib", gates, flop, "}\n"), "x.lib", &trouble) &&
              liberty_end(&l, &trouble));
  assert_int_equal(l.count, 5);
  assert_int_equal(l.used, 2);
  assert_true(liberty_find(&l, "INV")->area == 1.5 && !liberty_find(&l, "INV")->flipflop);
  assert_true(liberty_find(&l, "DFF")->flipflop);
  assert_null(liberty_find(&l, "FILL"));
  assert_null(strstr(l.text, "FILL"));
  assert_null(strstr(l.text, "internal_power"));
  assert_non_null(strstr(l.text, "\"1, 2\", \\\n \"3\""));
  assert_non_null(strstr(l.text, "time_unit : \"1ps\""));
  liberty_free(&l);
}

/* The smallest buffer drives, or an inverter if there is none. A function may be written in any
 * way: " ( I ) " is a buffer's, "(I)'" an inverter's, and "J" is of no pin. */
static void a_driver_is_found(void **state) {
  (void)state;
  static const char buffer[] =
      "cell (B%s) { area : %s; pin (I) { direction : input; } pin (O) { direction : output; function : \"%s\"; } }\n";
  char cells[600];
  liberty_t l = {0};
  assert_true(liberty_add(&l, write_parts("liberty.lib", gates, flop, "}\n"), "x.lib", &trouble) &&
              liberty_end(&l, &trouble));
  assert_string_equal(liberty_driver(&l)->name, "INV");
  liberty_free(&l);
  size_t n = (size_t)snprintf(cells, sizeof cells, buffer, "4", "4", "I");
  n += (size_t)snprintf(cells + n, sizeof cells - n, buffer, "1", "2.5", " ( I ) ");
  n += (size_t)snprintf(cells + n, sizeof cells - n, buffer, "N", "0.5", "(I)'");
  snprintf(cells + n, sizeof cells - n, buffer, "X", "0.5", "J");
  assert_true(liberty_add(&l, write_parts("liberty.lib", gates, flop, strcat(cells, "}\n")), "x.lib", &trouble) &&
              liberty_end(&l, &trouble));
  assert_string_equal(liberty_driver(&l)->name, "B1");
  assert_true(liberty_find(&l, "BN")->inverter && !liberty_find(&l, "BN")->buffer && !liberty_find(&l, "BX")->buffer);
  assert_false(liberty_find(&l, "DFF")->buffer || liberty_find(&l, "DFF")->inverter);
  liberty_free(&l);
}

/* Templates of the same name appear once. Files may be compressed; one that is cut off is
 * refused. */
static void several_files_are_one_library(void **state) {
  (void)state;
  liberty_t l = {0};
  gzFile file = gzopen("flop.lib.gz", "wb");
  gzprintf(
      file,
      "library (y) { time_unit : 1ps; lu_table_template (t) { index_1 (\"1, 2\"); } lu_table_template (u) { index_1 "
      "(\"1\"); }\n%s}",
      flop);
  gzclose(file);
  assert_true(liberty_add(&l, write_parts("liberty.lib", gates, "", "}\n"), "x.lib", &trouble));
  assert_true(liberty_add(&l, "flop.lib.gz", "flop.lib.gz", &trouble) && liberty_end(&l, &trouble));
  assert_int_equal(l.used, 2);
  assert_non_null(strstr(l.text, "lu_table_template (u)"));
  assert_null(strstr(strstr(l.text, "lu_table_template (t)") + 1, "lu_table_template (t)"));
  liberty_free(&l);
  assert_int_equal(truncate("flop.lib.gz", 150), 0);
  assert_false(liberty_add(&l, "flop.lib.gz", "flop.lib.gz", &trouble));
  assert_string_equal(trouble.text, "flop.lib.gz: is cut off or damaged: gzip cannot read it");
  liberty_free(&l);
}

/* A cell, a unit or a template that two files give differently is refused, with both places. */
static void cells_of_one_name_are_the_same(void **state) {
  (void)state;
  static const char *const others[][2] = {
      {"", ""},
      {"cell (INV) {\n area : 2; }",
       "y.lib:1: cell INV is another one than at x.lib:8: one of each name would be right"},
      {"time_unit : \"1ns\";",
       "y.lib:1: its units of time or load are not those of the file before: the same would be right"},
      {"lu_table_template (t) { index_1 (\"9\"); }",
       "y.lib:1: this template is another one than in the file before: one of each name would be right"}};
  for (size_t i = 0; i < 4; i++) {
    liberty_t l = {0};
    trouble = (trouble_t){.text = ""};
    assert_true(liberty_add(&l, write_parts("liberty.lib", gates, flop, "}\n"), "x.lib", &trouble));
    liberty_add(&l, write_parts("liberty.lib", "library (y) {", others[i][0], "}\n"), "y.lib", &trouble);
    assert_string_equal(trouble.text, others[i][1]);
    liberty_free(&l);
  }
}

#define PIN(name, direction, more) " pin (" name ") { direction : " direction "; " more "}"
#define GATE(kind, test)                                                                                    \
  "cell (ICG) { area : 4; clock_gating_integrated_cell : \"" kind                                           \
  "\"; statetable (\"CK E\", \"IQ\") { table : \"\"; }" PIN("IQ", "internal", "")                           \
      PIN("CK", "input", "clock_gate_clock_pin : true;") PIN("E", "input", "clock_gate_enable_pin : true;") \
          test PIN("G", "output", "clock_gate_out_pin : true;") " }\n"
#define TEST PIN("SE", "input", "clock_gate_test_pin : \"true\";")

/* Notes a module's name, its length, and how its text ends. */
static bool note_module(void *context, const char *name, const char *text, size_t length) {
  snprintf((char *)context + strlen(context), 200, "%s %zu %.4s;", name, length, text + length - 5);
  return true;
}

/* Cells without a function are used only where RTL names them. A clock gate's latch is open
 * while the clock is low; its test pin opens the gate before the latch or behind it. A gate of
 * another kind has no module. */
static void cells_by_name(void **state) {
  (void)state;
  static const struct {
    const char *cell, *gate;
  } gates_[] = {
      {GATE("latch_posedge", ""),
       "module ICG (input CK, input E, output G);\n  reg lockstack_q;\n  always @* if (!CK) lockstack_q = E;\n"
       "  assign G = CK & (lockstack_q);\nendmodule\n"},
      {GATE("latch_posedge_precontrol", TEST),
       "module ICG (input CK, input E, input SE, output G);\n  reg lockstack_q;\n"
       "  always @* if (!CK) lockstack_q = E | SE;\n  assign G = CK & (lockstack_q);\nendmodule\n"},
      {GATE("latch_posedge_postcontrol", TEST),
       "module ICG (input CK, input E, input SE, output G);\n  reg lockstack_q;\n"
       "  always @* if (!CK) lockstack_q = E;\n  assign G = CK & (lockstack_q | SE);\nendmodule\n"},
      {GATE("latch_posedge_precontrol", ""), NULL}, /* whose test pin is not said */
      {GATE("latch_posedge", TEST), NULL},
      {GATE("latch_posedge", PIN("OBS", "output", "")), NULL},
      {GATE("latch_negedge", ""), NULL}};
  for (size_t i = 0; i < sizeof gates_ / sizeof *gates_; i++) {
    liberty_t l = {0};
    char text[2000];
    snprintf(text, sizeof text, "%s%s", flop, gates_[i].cell);
    assert_true(liberty_add(&l, write_parts("liberty.lib", gates, text, "}\n"), "x.lib", &trouble) &&
                liberty_end(&l, &trouble));
    const liberty_cell_t *c = liberty_any(&l, "ICG");
    assert_true(!c->used && !liberty_find(&l, "ICG") && strcmp(c->unknown, "it has a statetable") == 0 &&
                !c->functions);
    assert_true(!c->gate == !gates_[i].gate);
    if (c->gate) assert_string_equal(c->gate, gates_[i].gate);
    if (!i)
      assert_string_equal(c->open_gate, "module ICG (input CK, input E, output G);\n  assign G = CK;\nendmodule\n");
    words_t names = {0};
    liberty_named(&l, "module x; ICG u_icg (.CK(INV1), .E(DFFX)); // FILL\nINV_ a; TRI t; endmodule", &names);
    assert_true(names.count == 3 && words_has(&names, "ICG") && words_has(&names, "FILL") && words_has(&names, "TRI"));
    char *all = liberty_some(&l, &names, false), *known = liberty_some(&l, &names, true);
    assert_true(strstr(all, "cell (ICG)") && strstr(all, "cell (TRI)") && strstr(all, "time_unit") &&
                !strstr(all, "cell (INV)"));
    assert_true(!strstr(known, "cell (ICG)") && !strstr(known, "cell (TRI)") && strstr(known, "library (cells)"));
    free(all), free(known), words_free(&names), liberty_free(&l);
  }
  char seen[600] = "";
  assert_true(liberty_modules("/* x */\n\nmodule a(b);\nendmodule\n\n(* x *)\nmodule \\c (d);\nendmodule\nmodule cut",
                              note_module, seen));
  assert_string_equal(seen, "a 23 dule;c 25 dule;");
}

/* Each way in which a Liberty file can be wrong, with its line; the first row is a file in
 * order. */
static void bad_files_are_a_line(void **state) {
  (void)state;
  assert_string_equal(liberty_refusal(gates, flop, "}\n"), "");
  assert_string_equal(liberty_refusal("", "", ""), "x.lib:1: no Liberty file: it begins with 'library (NAME) {'");
  assert_string_equal(liberty_refusal("module x;\n", "", ""),
                      "x.lib:1: no Liberty file: it begins with 'library (NAME) {'");
  assert_string_equal(liberty_refusal("\n\nlibrary (x) {\n what is this", "", ""),
                      "x.lib:4: no Liberty file: 'name : value;' or 'name (value) {' would be right");
  assert_string_equal(liberty_refusal(gates, flop, ""), "x.lib:18: a group without an end: the file is cut off");
  assert_string_equal(liberty_refusal(gates, "  cell (AND) { pin (Y) { function : \"A", ""),
                      "x.lib:16: a text in quotes without an end: the file is cut off");
  assert_string_equal(liberty_refusal(gates, flop, "} library (z) { }"),
                      "x.lib:18: text behind the end of the library: one library a file would be right");
  assert_string_equal(liberty_refusal(gates, "", "}\n"),
                      "x.lib: no cell is a flip-flop (group ff): synthesis needs one");
  assert_string_equal(liberty_refusal("library (x) { cell (A) { area : 1; } }", "", ""),
                      "x.lib: none of 1 cells has a function: synthesis needs gates and flip-flops");
  liberty_t l = {0};
  assert_false(liberty_add(&l, "not/there.lib", "not/there.lib", &trouble));
  assert_string_equal(trouble.text, "not/there.lib: No such file or directory");
  liberty_free(&l);
}

static const char lef[] =
    "# MACRO NO\nVERSION 5.7 ;\nPROPERTYDEFINITIONS\n  MACRO text STRING ;\nEND PROPERTYDEFINITIONS\nSITE s\n"
    "  SIZE 1 BY 2 ;\nEND s\n"
    "BEGINEXT \"x\"\n MACRO NO\nENDEXT\nMACRO INV\n  PROPERTY p \"; END INV\" ;\n  SIZE 1.5 BY 2 ;\n  PIN INV\n"
    "    PORT\n      RECT 0 0 1 1 ;\n"
    "    END\n  END INV\n  OBS\n    LAYER m ;\n  END\nEND INV\nMACRO WIRE\n  CLASS COVER ;\nEND WIRE\n";

/* What is said of a LEF file of these two parts; "": it is taken. */
static const char *lef_refusal(lef_t *l, const char *a, const char *b) {
  trouble = (trouble_t){.text = ""};
  const bool ok = lef_add(l, write_parts("cells.lef", a, b, ""), &trouble);
  unlink("cells.lef");
  assert_true(ok == !*trouble.text);
  return trouble.text;
}

/* A cell's area is its SIZE: 1.5 by 2 um is 3 um2, 3 by 2 is 6. Extensions, properties and pins
 * with the cell's name are passed over, and a cell without SIZE has no area. */
static void areas_are_of_lef_files(void **state) {
  (void)state;
  lef_t l = {0};
  assert_string_equal(lef_refusal(&l, lef, "macro NAND size 3 by 2 ; end NAND END LIBRARY rest"), "");
  assert_true(l.count == 2 && lef_um2(&l, "INV") == 3 && lef_um2(&l, "NAND") == 6 && lef_um2(&l, "WIRE") < 0 &&
              lef_um2(&l, "NO") < 0);
  assert_string_equal(lef_refusal(&l, "LAYER m\n  TYPE ROUTING ;\nEND m\nEND LIBRARY\n", ""), "");
  assert_string_equal(lef_refusal(&l, "MACRO INV\n SIZE 2 BY 1.5 ;\nEND INV\n", ""), "");
  assert_string_equal(
      lef_refusal(&l, "\nMACRO INV\n SIZE 2 BY 2 ;\nEND INV\n", ""),
      "cells.lef:2: MACRO INV is of another size than at cells.lef:12: one of each name would be right");
  lef_free(&l);
}

/* Each way in which a LEF file can be wrong, with its line. */
static void bad_lef_files_are_a_line(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      {"MACRO A\n SIZE 1 BY", "cells.lef:2: SIZE should be: SIZE width BY height ;"},
      {"MACRO A\n SIZE 1 BY 0 ;\nEND A\n", "cells.lef:2: SIZE should be: SIZE width BY height ;, not of 0"},
      {"MACRO A\n SIZE 1 BY 1 ;\n PIN A\n PORT\n END\n END A\n",
       "cells.lef:1: a MACRO without an end, the file is cut off: A"},
      {"MACRO A\n SIZE 1 BY 1 ;\nEND AB\n", "cells.lef:1: MACRO has another END: A"},
      {"MACRO A\n SIZE 1 BY 1 ;\n PROPERTY x \"y ;\nEND A\n",
       "cells.lef:3: a text in quotes without an end: the file is cut off"},
      {"MACRO", "cells.lef:1: a MACRO without a name: the file is cut off"},
      {"PROPERTYDEFINITIONS\n MACRO x STRING ;\n",
       "cells.lef:1: PROPERTYDEFINITIONS without an END: the file is cut off"},
      {"", "cells.lef: no LEF file: it has no 'MACRO NAME ... SIZE width BY height ; ... END NAME'"},
      {"library (x) { }\n", "cells.lef: no LEF file: it has no 'MACRO NAME ... SIZE width BY height ; ... END NAME'"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    lef_t l = {0};
    assert_string_equal(lef_refusal(&l, bad[i][0], ""), bad[i][1]);
    lef_free(&l);
  }
}

/* Each choice of cells says its unit: gate equivalents of the built-in ones, um2 of files. */
static void choices(void **state) {
  (void)state;
  cells_t c;
  assert_true(cells_choose(&c, LOCKSTACK_SOURCE_DIR, "", &trouble) && cells_open(&c, NULL, NULL, &trouble));
  assert_string_equal(c.name, "ge");
  assert_string_equal(c.area_unit, "GE");
  assert_true(liberty_find(&c.library, "NAND2X1")->area == 1);
  assert_int_equal(c.library.used, c.library.count);
  cells_close(&c);
  assert_true(cells_choose(&c, "", "/a/x.lib\n/b/y,z.lib.gz", &trouble));
  assert_string_equal(c.name, "x.lib+y_z.lib.gz");
  assert_string_equal(c.area_unit, "um2");
  assert_true(cells_is_name("nangate45") && !cells_is_name("") && !cells_is_name("/a/x.lib"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cells_with_functions_are_used),
                                     cmocka_unit_test(a_driver_is_found),
                                     cmocka_unit_test(several_files_are_one_library),
                                     cmocka_unit_test(cells_of_one_name_are_the_same),
                                     cmocka_unit_test(bad_files_are_a_line),
                                     cmocka_unit_test(areas_are_of_lef_files),
                                     cmocka_unit_test(bad_lef_files_are_a_line),
                                     cmocka_unit_test(choices),
                                     cmocka_unit_test(cells_by_name)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink("liberty.lib"), unlink("flop.lib.gz");
  return failed;
}
