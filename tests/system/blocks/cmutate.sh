#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Mutants of a small C file: each kind is made, and each ends as it must: killed by a test, by a
# test that does not end, left, never reached. Two cmocka groups: both are served. What is in
# macros, asserts, constants and the head of a loop is left alone.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
[ -x "$build/tests/cmutate" ] || skip 'cmutate is not built: libclang-14-dev is missing'
cmutate=$build/tests/cmutate campaign=$build/tests/campaign

cat >part.c <<'C'
#include <assert.h>
#define TWICE(x) ((x) + (x))
enum { SIZE = 3 + 1 };
static int slots[SIZE];
int larger(int a, int b) {
  assert(a < 1000);
  return a > b ? a : b;
}
int halvings(int n) {
  int steps = 0;
  while (n > 1) {
    n = n / 2;
    steps++;
  }
  return steps;
}
int never(int a) {
  slots[SIZE - 1] = a;
  return TWICE(a);
}
C
cat >test_part.c <<'C'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
int larger(int a, int b), halvings(int n);
static void test_larger(void **state) {
  (void)state;
  assert_int_equal(larger(2, 1), 2);
  assert_int_equal(larger(1, 2), 2);
  assert_int_equal(larger(7, 7), 7);
}
static void test_halvings(void **state) {
  (void)state;
  assert_int_equal(halvings(9), 3);
}
int main(void) {
  const struct CMUnitTest one[] = {cmocka_unit_test(test_larger)}, two[] = {cmocka_unit_test(test_halvings)};
  return cmocka_run_group_tests(one, NULL, NULL) + cmocka_run_group_tests(two, NULL, NULL);
}
C
runs 0 "$cmutate" part.c mutated.c points.csv 1 100 1
equal "$(cut -d, -f4,5 points.csv | sort | uniq -c | tr -s ' \n' ' ')" "$(sort -t, <<'P' | uniq -c | tr -s ' \n' ' '
larger,> to >=
larger,> to <=
larger,0 or 1
halvings,+1
halvings,> to >=
halvings,> to <=
halvings,+1
halvings,-1
halvings,deleted
halvings,/ to *
halvings,/ to left
halvings,+1
halvings,-1
halvings,deleted
halvings,0 or 1
never,deleted
never,- to +
never,- to left
never,+1
never,-1
never,0 or 1
P
)" 'the mutants of part.c'
runs 0 cc -w -I "$source/harness/verify/cmutate" mutated.c test_part.c "$build/lib/libcmutant.a" "$build/lib/libbase.a" \
  -lcmocka -lz -lmd -ldl -o test_mutated
runs 0 ./test_mutated                                             # without a mutant, and not as a server: as it was
runs 0 "$campaign" --out . points.csv -- test_mutated
ending() { grep -F "$1" mutants.csv | cut -d, -f6,7; }            # of the one row with this text
equal "$(ending 'larger,> to >=,')" 'survived,' 'an equivalent mutant'
equal "$(ending 'larger,> to <=,')" 'killed,test_mutated' 'a mutant that the first group kills'
equal "$(ending 'halvings,/ to left,')" 'timeout,test_mutated' 'a mutant that does not end'
equal "$(ending 'halvings,deleted,steps++')" 'killed,test_mutated' 'a mutant that the second group kills'
equal "$(grep ',never,' mutants.csv | cut -d, -f6 | sort -u)" 'unreached' 'what no test calls'
equal "$(sed -n 2p files.csv)" "part.c,21,$(grep -c -e ,killed, -e ,timeout, -e ,crash, mutants.csv)" \
  'the score of the file'

# A share of them, by seed.
runs 0 "$cmutate" part.c half.c half.csv 5 50 1
equal "$(wc -l <half.csv) $(head -n 1 half.csv | cut -d, -f1)" '11 5' 'half of the mutants, ids from 5 on'
runs 0 "$cmutate" part.c half.c other.csv 5 50 2
runs 1 cmp -s half.csv other.csv

# What must be refused.
refuses 2 'should be: cmutate FILE.c' "$cmutate" part.c
refuses 2 'PERCENT: should be 1 to 100' "$cmutate" part.c a b 1 101 1
echo 'int broken( {' >broken.c
refuses 2 'broken.c:1:.*error' "$cmutate" broken.c a b 1 100 1
refuses 2 'none.c: cannot read' "$cmutate" none.c a b 1 100 1
refuses 2 'id twice' "$campaign" --out . points.csv points.csv -- test_mutated
refuses 3 'cannot be started, or serves no tests' "$campaign" --out . points.csv -- /bin/true
sed 's/halvings(9), 3/halvings(9), 4/' test_part.c >test_wrong.c
cc -w -I "$source/harness/verify/cmutate" mutated.c test_wrong.c "$build/lib/libcmutant.a" "$build/lib/libbase.a" \
  -lcmocka -lz -lmd -ldl -o test_wrong
refuses 3 'a test fails without a mutant' "$campaign" --out . points.csv -- test_wrong
