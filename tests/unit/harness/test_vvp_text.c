/* SPDX-License-Identifier: Apache-2.0
 *
 * Designs that Icarus has compiled lose their delays; all other text stays, byte by byte. The lines
 * are what Icarus 11 writes of the Verilog beside them.
 */
#include "unit_test.h"

#include "vvp_text.h"

#include <stdlib.h>
#include <string.h>

static void expect_text(const char *text, const char *wanted) {
  char *got = NULL;
  size_t size;
  FILE *to = open_memstream(&got, &size);
  assert_true(vvp_text_undelayed(to, text));
  fclose(to);
  assert_string_equal(got, wanted);
  free(got);
}

/* assign #2, wire #(1,2,3), gates; assign #n, whose delay is a net. */
static void functors_have_no_delay(void **state) {
  (void)state;
  expect_text("L_1/d .functor BUFZ 8, L_2, C4<00000000>;\nL_1 .delay 8 (1000,2000,3000) L_1/d;\n",
              "L_1/d .functor BUFZ 8, L_2, C4<00000000>;\nL_1 .delay 8 (0,0,0) L_1/d;\n");
  expect_text("L_1 .delay 8 L_1/d, o0x7f, o0x7f, o0x7f;\n", "L_1 .delay 8 (0,0,0) L_1/d;\n");
}

/* q <= #1 d, also of a real; of an element, of a bit, and of a delay that is computed: the register
 * with the delay is 0, not the one with the place. */
static void assignments_take_no_time(void **state) {
  (void)state;
  expect_text("    %assign/vec4 v0x1_0, 1000;\n", "    %assign/vec4 v0x1_0, 0;\n");
  expect_text("    %assign/wr v0x1_0, 3;\n", "    %assign/wr v0x1_0, 0;\n");
  expect_text("    %ix/vec4 3;\n    %ix/load 4, 1500, 0; Constant delay\n    %assign/vec4/a/d v0x1, 0, 4;\n",
              "    %ix/vec4 3;\n    %ix/load 4, 0, 0;\n    %assign/vec4/a/d v0x1, 0, 4;\n");
  expect_text("    %ix/load 5, 2000, 0;\n    %ix/getv 4, v0x2_0;\n    %assign/vec4/off/d v0x1_0, 4, 5;\n",
              "    %ix/load 5, 0, 0;\n    %ix/getv 4, v0x2_0;\n    %assign/vec4/off/d v0x1_0, 4, 5;\n");
  expect_text("    %ix/vec4 4;\n    %assign/vec4/d v0x1_0, 4;\n",
              "    %ix/vec4 4;\n    %ix/load 4, 0, 0;\n    %assign/vec4/d v0x1_0, 4;\n");
}

/* q = #2 d; the testbench's own step stays. */
static void only_the_testbench_waits(void **state) {
  (void)state;
  expect_text("    %delay 2000, 0;\n    %ix/vec4 4;\n    %delayx 4;\n    %store/vec4 v0x1_0, 0, 8;\n",
              "    %ix/vec4 4;\n    %ix/load 4, 0, 0;\n    %store/vec4 v0x1_0, 0, 8;\n");
  expect_text("    %vpi_call 4 47 \"$lockstack_drive\", v0x1_0 {0 0 0};\n    %delay 1, 0;\n",
              "    %vpi_call 4 47 \"$lockstack_drive\", v0x1_0 {0 0 0};\n    %delay 1, 0;\n");
}

/* Assignments at an event, registers with places alone, texts that speak of delays, empty files. */
static void all_else_stays(void **state) {
  (void)state;
  static const char *const same[] = {"",
                                     "\n",
                                     "    %assign/vec4/e v0x1_0;\n",
                                     "    %assign/vec4/off/e v0x1_0, 4;\n",
                                     "    %ix/load 4, 3, 0;\n    %store/vec4 v0x1_0, 4, 8;\n",
                                     "    %vpi_call 2 5 \"$display\", \"a .delay 8 (1,2,3) %delay 4\" {0 0 0};\n",
                                     "T_0 ;\n    %jmp T_0"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) expect_text(same[i], same[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functors_have_no_delay),
                                     cmocka_unit_test(assignments_take_no_time),
                                     cmocka_unit_test(only_the_testbench_waits), cmocka_unit_test(all_else_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
