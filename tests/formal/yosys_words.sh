# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# For tests that start Yosys themselves: what the one on the PATH has to be told, and asked
# (harness/base/yosys_command.h, synth/checks.v).
#   yosys -q $(yosys_words) ...
#   proc; $(lower_checks "$src")
#   yosys-abc -c "...; pdr -T 60; $abc_trivial" | grep "$abc_proved"
# shellcheck disable=SC2034
abc_trivial='pdr -a -T 1' abc_proved='Property proved\|Disproved = 0. Undecided = 0.'

yosys_words() {
  probe=$(mktemp -d)
  printf 'typedef struct packed { logic [1:0] a; logic b; } t;\nmodule m(input wire t x, output logic y); assign y = x.b; endmodule\n' >"$probe/m.sv"
  yosys -q -p "read_verilog -sv $probe/m.sv" >/dev/null 2>&1 || echo -D LOCKSTACK_TYPES_BY_NAME
  rm -rf "$probe"
}

lower_checks() { echo "techmap -autoproc -map $1/synth/checks.v t:\$check; delete t:\$print"; }
