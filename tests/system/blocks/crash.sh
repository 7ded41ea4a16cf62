#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A model or a stimulus that crashes, or does not return, is an outcome of check and replay: one
# report, exit status 1 (other verbs: crash_verbs.sh).
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# shellcheck source=tests/system/crash_block.sh
. "$source/tests/system/crash_block.sh"
lockstack() { CRASH=$crash "$lockstack" "$@"; }
crash=none
runs 0 lockstack check own --set Bits=5 --cycles 20000

# Whoever starts it may ignore the ends of children, and may have left signals blocked: both are
# inherited
# shellcheck disable=SC2016
printf '%s\n' 'use POSIX; $SIG{CHLD} = "IGNORE"; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGCHLD, SIGVTALRM)); exec @ARGV' >deaf.pl
runs 0 perl deaf.pl "$lockstack" check own --set Bits=5 --cycles 200
printf 'jobs:\n  - check: {block: own, set: Bits=5, cycles: 200, no-wave: true}\n' >deaf.yaml
runs 0 timeout 60 perl deaf.pl "$lockstack" regress deaf.yaml

# Each way to crash: the outcome, the function, where and when, the files, the same again, and
# small.
crashes() {
  local words=$2
  crash=$1
  runs 1 lockstack check own --set Bits=5 --cycles 20000 --no-wave --shrink-seconds 5 --out "out-$crash" --json a.json
  equal "$(json a.json outcome)" MODEL_CRASH "the outcome of $crash"
  matches "$(json a.json failure.text)" "^accum_step: $words" "what is said of $crash"
  matches "$(json a.json failure.cycle)" '^[1-9]' 'the cycle'
  matches "$out" 'lockstack check .*own --set Bits=5 --seed 1 --profile one --cycles' 'the command that does it again'
  [ "$(json a.json shrunk_cycles)" -le 3 ] || wrong "$crash: shrunk to $(json a.json shrunk_cycles) cycles only"
  runs 1 lockstack replay "$(json a.json replay)" --json b.json
  equal "$(json b.json outcome) $(json b.json same)" 'MODEL_CRASH true' "the replay of $crash"
}
crashes segv 'SIGSEGV, memory'
crashes divide 'SIGFPE'
crashes stack 'SIGSEGV, the stack is full'
crashes abort 'SIGABRT'
crashes trap 'SIGILL'
crashes overrun 'SIGSEGV, memory'

# The process that judges is ended, with a status that is not its own: a model's, or after a
# signal, a program's that took its place
crashes _exit 'it called _exit\(\)$'
for crash in exit quick_exit; do
  runs 1 lockstack check own --set Bits=5 --cycles 20000 --no-wave --shrink-seconds 0 --json a.json
  equal "$(json a.json outcome) $(json a.json failure.text)" "MODEL_CRASH accum_step: it called $crash()" \
    "a model that calls $crash()"
done
crash=exec
refuses 3 'check ended with exit status 0 before it had a verdict' lockstack check own --set Bits=5 --cycles 20000 \
  --json none.json
equal "$out $(ls none.json 2>&1 | grep -c 'No such')" ' 1' 'a model that becomes another program'
for status in 5 141; do
  crash="exec $status"
  refuses 3 "check ended with exit status $status before it had a verdict" lockstack check own --set Bits=5 \
    --cycles 20000
done
crash=at_end
runs 1 lockstack check own --set Bits=5 --cycles 20000 --no-wave --shrink-seconds 0
crash='kill'
runs 137 lockstack check own --set Bits=5 --cycles 20000
matches "$err" 'lockstack: check was ended by signal 9 \(Killed\)' 'a model that kills the process'

# Who reads may end first: no line, and no PASS either
crash=pipe
runs 141 lockstack check own --set Bits=5 --cycles 20000 --json none.json
equal "$out$err $(ls none.json 2>&1 | grep -c 'No such')" ' 1' 'a process that SIGPIPE ended'
for words in --help 'list blocks' 'check fifo --cycles 100'; do
  # shellcheck disable=SC2086
  { "$lockstack" $words 2>pipe.err; echo $? >pipe.code; } | head -c 1 >head.out
  matches "$(<pipe.code)" '^(0|141)$' "the status of '$words | head'"
  equal "$(grep -v building pipe.err)" '' "what '$words | head' says"
done

# A call that does not return: ended after its CPU time, or at once by Ctrl-C
crash=endless
export LOCKSTACK_CALL_SECONDS=1
runs 1 lockstack check own --set Bits=5 --no-wave --shrink-seconds 1 --json loop.json
equal "$(json loop.json outcome)" MODEL_CRASH 'the outcome of an endless loop'
equal "$(json loop.json failure.text)" 'accum_step: did not return after 1 s of CPU time' 'what is said of it'
runs 1 lockstack replay "$(json loop.json replay)" --json again.json
equal "$(json again.json same)" true 'its replay'
export LOCKSTACK_CALL_SECONDS=1s
refuses 2 "LOCKSTACK_CALL_SECONDS: '1s' should be a whole number" lockstack list
unset LOCKSTACK_CALL_SECONDS
interrupted() { CRASH=endless timeout --foreground --preserve-status -s INT 2 "$lockstack" "$@"; }
refuses 3 'interrupted' interrupted check own --set Bits=5 --no-wave --json int.json
equal "$(json int.json outcome) $(json int.json interrupted)" 'INTERRUPTED true' 'an endless loop that was interrupted'
[[ $out != *PASS* ]] || wrong "PASS of an interrupted check: $out"

# The stimulus is told apart: in the midst of a run, before its first cycle, and with vectors of a
# file
stimulus() { # stimulus WHERE FUNCTION CYCLE OPTION...
  crash=$1
  runs 1 lockstack check own --set Bits=5 "${@:4}" --out "out-$1" --json stim.json
  equal "$(json stim.json outcome) $(json stim.json failure.cycle)" "STIM_CRASH $3" "a stimulus that crashes in $2"
  matches "$(json stim.json failure.text)" "^accum_stim.$2: SIGSEGV" "what is said of $2"
  matches "$out" 'no replay file: it would hold inputs' "the files of $2"
  equal "$(json stim.json replay) $(ls "out-$1" 2>/dev/null)" 'null ' "the files of $2"
}
stimulus stimulus next 77 --resets none
stimulus init init 0
printf '%s\n' '# value, sum' '1 1' '2 3' '3 6' '4 a' >sums.txt
crash=none
runs 0 lockstack check own --set Bits=5 --vectors sums.txt
stimulus drive vector_drive 2 --vectors sums.txt
matches "$out" 'own, sums.txt:4: STIM_CRASH' 'the line of the vector'
stimulus result vector_result 4 --vectors sums.txt
matches "$out" 'own, sums.txt:4: STIM_CRASH' 'the line of the result'

# C behind DPI that ends the process: a status of its own is no verdict, and one line says where it
# is from
cp -r "$source/docs/example" dpi
printf '#include <stdlib.h>\n#include "ends.h"\nvoid ends(int n) { exit(n); }\n' >dpi/ends.c &&
  echo 'void ends(int n);' >dpi/ends.h
sed -i 's|^endmodule|  import "DPI-C" function void ends(input int n);\n  always_ff @(posedge clk) if (add_i) ends(5);\n&|' dpi/accum.sv
sed -i '1i #include "ends.h"' dpi/accum.h
refuses 3 'accum: C code that the RTL calls ended the process by exit\(5\): no verdict' "$lockstack" check dpi \
  --cycles 200 --no-wave
