#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The C interface: what is installed is enough for a program outside of the tree, by CMake and by
# pkg-config; it counts what `run` counts; each refusal. timeout: 300

. "${BASH_SOURCE%/*}/../lib.sh"
ptx=$source/firmware/workloads/kernels/saxpy/saxpy.ptx

# Installed, moved, and found again
runs 0 cmake --install "$build" --prefix "$here/first"
mv first moved
example=$here/moved/share/doc/lockstack/docs/example/embed
runs 0 cmake -S "$example" -B by_cmake -DCMAKE_PREFIX_PATH="$here/moved"
runs 0 cmake --build by_cmake
runs 0 env -u LOCKSTACK by_cmake/saxpy baseline "$ptx"
matches "$err" '^0 wrong, [0-9]+ cycles' 'the program that CMake built'
export PKG_CONFIG_PATH=$here/moved/lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs lockstack)
runs 0 cc "$example/saxpy.c" "${flags[@]}" -lm -o by_pkg_config
runs 0 env -u LOCKSTACK LD_LIBRARY_PATH="$here/moved/lib" ./by_pkg_config baseline "$ptx"
matches "$err" '^0 wrong, [0-9]+ cycles' 'the program that pkg-config told how to build'
equal "$(pkg-config --modversion lockstack)" "$("$lockstack" --version | awk 'NR == 1 { print $2 }')" 'the version'
nm -D --defined-only moved/lib/liblockstack.so | awk '$2 != "A" { print $3 }' | grep -v '^lockstack_' &&
  wrong 'a name that is not ours is visible'

# A header for C++, too
echo '#include <lockstack.h>
int main() { lockstack_close(nullptr); }' >a.cpp
runs 0 c++ -Wall -Wextra -Werror a.cpp "${flags[@]}" -o a_cpp

# The machine counts what it counts in `run` of the same launch
for system in baseline nsu tom mpu; do
  for set in system.seed=1 "$([ $system = mpu ] && echo mpu.policy=near || echo gpu.scheduler=lrr)"; do
    runs 0 "$lockstack" run $system "$source/docs/example/launch/saxpy.yaml" --set $set --json run.json
    runs 0 by_cmake/saxpy $system "$ptx" --set $set --json=last.json
    echo "$out" >serve.json
    matches "$err" "^0 wrong, $(json run.json cycles) cycles" "$system, $set"
    for key in cycles time_ns warp_instructions energy.total_nj machine; do
      equal "$(json serve.json $key)" "$(json run.json $key)" "$key of $system, $set"
    done
    equal "$(json last.json cycles) $(json last.json schema)" \
      "$(json run.json cycles) lockstack.serve/1" 'the last report'
  done
done
runs 0 by_cmake/saxpy nsu "$ptx" --set offload.ratio=1 --engine 'nsu[0]=lockstep' --json last.json
echo "$out" >serve.json
equal "$(json serve.json lockstep.divergences) $(json serve.json \
  'engines.nsu[0]') $(json serve.json 'engines.nsu[1]')" '0 lockstep model' 'in lockstep'
[ "$(json serve.json lockstep.cycles)" -gt 100 ] || wrong 'nothing was in lockstep'

runs 0 "$build/tests/embed" "$source/tests/exec/kernels.ptx" memory modules counts refusals several openings
equal "$out" $'memory held\nmodules held\ncounts held\nrefusals held\nseveral held\nopenings held' 'all parts'
runs 2 by_cmake/saxpy nsu "$ptx" --set gpu.sms=0
matches "$err" '^saxpy: --set: ' 'a setting that is wrong'

# By hand it says who starts it
runs 2 "$lockstack" serve nsu
matches "$err" '--socket is missing; a program with the C interface starts this verb' 'no socket'
runs 2 "$lockstack" serve nsu --socket 1
matches "$err" 'descriptor 1 is no socket' 'no socket there'
runs 2 "$lockstack" serve --socket 3
matches "$err" 'a SYSTEM is missing' 'no system'

# A program that is killed takes its system with it
printf '#include <lockstack.h>\n#include <stdio.h>\n#include <unistd.h>
int main(void) { char e[LOCKSTACK_ERROR]; lockstack_t *l = lockstack_open("baseline", NULL, e); puts(l ? "open" : e); fflush(stdout); pause(); }\n' >wait.c
runs 0 cc wait.c "${flags[@]}" -Wl,-rpath,"$here/moved/lib" -o wait_here
mkfifo said
./wait_here >said &
program=$!
read -r line <said
equal "$line" open 'a program that waits'
read -r served <"/proc/$program/task/$program/children"
kill -9 $program
{ wait $program; } 2>/dev/null
for _ in $(seq 100); do kill -0 "$served" 2>/dev/null || break; sleep 0.1; done
if kill -0 "$served" 2>/dev/null; then wrong 'the system outlives its program'; fi
