/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions of proofs (.prove): what they say, parameters and conditions, and each mistake that
 * is refused.
 */
#include "proof.h"
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ports[] =
    "KIND(moore)\nCLOCK(clk_i)\nRESET(rst_ni, low, async)\nPARAM(Depth, 4, 1, 64, \"entries\")\n"
    "PARAM(Bound, 0, 0, 255, \"x\")\n"
    "PARAM(Width, PKT_MAX_CMD_REGS,\n 1, PKT_MAX_CMD_REGS, \"bits\")\n";
static const char good[] =
    "# a comment\nparams Depth=4 Bound=0\nparams Bound=2\n\nproperty full pdr\nproperty waits induction 3 Bound>0\n"
    "cover fills 12 Depth>1\nbroken early full lib/a.sv\n- a # b\n+ c\nbroken late waits,full lib/a.sv Bound=2\n- d\n"
    "+ e "
    "f\n";

/* Makes a file of this text; `path` becomes its name. */
static void write_temporary(char *path, const char *text) {
  strcpy(path, "test_proof.XXXXXX");
  int fd = mkstemp(path);
  FILE *file = fdopen(fd, "w");
  fputs(text, file);
  fclose(file);
}

/* Reads this text as the description of block a, whose port file is the one above. */
static bool read_description(proof_t *proof, const char *text, trouble_t *trouble) {
  char path[32];
  memset(proof, 0, sizeof *proof);
  strcpy(proof->block, "a");
  write_temporary(path, ports);
  assert_true(proof_read_ports(proof, LOCKSTACK_SOURCE_DIR, path, trouble));
  unlink(path);
  write_temporary(path, text);
  bool ok = proof_read(proof, path, trouble);
  unlink(path);
  return ok;
}

/* Sets of parameters, claims with methods and depths, and one broken copy for each property it
 * must refute. */
static void a_description_is_read(void **state) {
  (void)state;
  static proof_t p;
  trouble_t trouble;
  assert_true(read_description(&p, good, &trouble));
  assert_int_equal(p.num_params, 2);
  assert_string_equal(p.params[0], "Depth=4 Bound=0");
  assert_int_equal(p.num_claims, 3);
  assert_int_equal(proof_claim(&p, "full")->method, METHOD_PDR);
  assert_int_equal(proof_claim(&p, "waits")->depth, 3);
  assert_int_equal(proof_claim(&p, "fills")->method, METHOD_COVER);
  assert_null(proof_claim(&p, "nothing"));
  assert_int_equal(p.num_broken, 3);
  assert_string_equal(p.broken[2].property, "full");
  assert_string_equal(p.broken[2].from, "d");
  assert_string_equal(p.broken[0].from, "a # b");
  assert_string_equal(p.broken[1].to, "e f");
}

/* A condition holds for a set of parameters; a parameter that the set does not name has its
 * default. */
static void conditions_look_at_defaults(void **state) {
  (void)state;
  static proof_t p;
  trouble_t trouble;
  assert_true(read_description(&p, good, &trouble));
  assert_true(proof_applies(&p, "", "Bound=2"));
  assert_true(proof_applies(&p, "Bound>0", "Bound=2"));
  assert_false(proof_applies(&p, "Bound>0", "Depth=9"));
  assert_true(proof_applies(&p, "Depth=4 Bound<1", ""));
  assert_false(proof_applies(&p, "Depth=4 Bound<1", "Depth=5"));
  assert_false(proof_applies(&p, "Depth>4", "Width=7"));
  assert_true(proof_applies(&p, "Width>0", "")); /* what the lists say is a number, too */
}

/* Settings replace all sets of the file by one; each value must be in its parameter's range. */
static void parameters_are_set(void **state) {
  (void)state;
  static proof_t p;
  trouble_t trouble;
  assert_true(read_description(&p, good, &trouble));
  assert_true(proof_set(&p, "Depth=7", &trouble));
  assert_true(proof_set(&p, "Width=3", &trouble));
  assert_int_equal(p.num_params, 1);
  assert_string_equal(p.params[0], "Bound=0 Depth=7 Width=3");
  assert_false(proof_set(&p, "Depth=65", &trouble));
  assert_string_equal(trouble.text, "Depth = 65: from 1 to 64");
  assert_false(proof_set(&p, "Dep=1", &trouble));
  assert_string_equal(trouble.text, "a has no parameter Dep; it has: Depth Bound Width");
  assert_false(proof_set(&p, "Depth=x", &trouble));
  assert_string_equal(trouble.text, "'Depth=x' should be Param=Number");
}

/* One row for each mistake, and part of its message. */
static void mistakes_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"proof a\n", "'proof' should be params, property, cover or broken"},
      {"params Size=3\n", "a has no parameter Size"},
      {"params Depth=0\n", "Depth = 0: from 1 to 64"},
      {"params Depth>3\n", "'Depth>3' should be Param=Number"},
      {"property\n", "should be `property NAME pdr`"},
      {"property full guess\n", "method 'guess' should be pdr, induction or bmc"},
      {"property full bmc\n", "bmc should be followed by a number of cycles"},
      {"property full bmc 0\n", "bmc should be followed by a number of cycles"},
      {"cover full cover\n", "cover should be followed by a number of cycles"},
      {"property full pdr 12\n", "'12' should be Param=, < or >Number"},
      {"property full pdr\nproperty full pdr\n", "full is there twice"},
      {"broken early full lib/a.sv\n", "no property 'full' above this line"},
      {"cover full 3\nbroken early full lib/a.sv\n", "no property 'full' above this line"},
      {"property full pdr\nbroken early full\n", "should be `broken NAME PROPERTY,... FILE`"},
      {"property full pdr\nbroken early , lib/x.sv\n", "broken copy early names no property"},
      {"- a\n", "a `-` line should follow a `broken` line"},
      {"property full pdr\ncover c 3\n", "property full has no broken copy that it must refute"},
      {"property full pdr\nbroken b full f.sv\n- a\n+ b\n", "a cover is missing"},
      {"property full pdr\ncover c 3\nbroken b full f.sv\n", "broken copy b should have a `- ` line"},
      {"property full pdr Bound>0\ncover c 3\nbroken b full f.sv\n- a\n+ b\n", "no set of parameters for full"},
      {"cover c 3\n", "a property is missing"},
      {"cover c 3", "a line should be shorter and end"},
      {"", "a property is missing"},
  };
  static proof_t p;
  trouble_t trouble;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(read_description(&p, cases[i].text, &trouble));
    if (!strstr(trouble.text, cases[i].says)) fail_msg("'%s' is answered '%s'", cases[i].text, trouble.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_description_is_read),
      cmocka_unit_test(conditions_look_at_defaults),
      cmocka_unit_test(parameters_are_set),
      cmocka_unit_test(mistakes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
