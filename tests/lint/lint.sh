#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Lints one RTL file, its module as the top, with one tool; fails when the tool says anything.
#   lint.sh verilator|ports|iverilog|yosys GENERATED_FOLDER FILE.sv [PORTGEN]
# ports: Verilator on the generated wrapper, which differs from the RTL when the port file does.
# yosys, with portgen: the values that the RTL's parameters have by themselves are those of its
# port file, too.

set -u -o pipefail
tool=$1 gen=$2 file=$3 portgen=${4-}
root=$(cd "$(dirname "$0")/../.." && pwd)
top=$(basename "$file" .sv)
folders=("$(dirname "$file")" "$root"/rtl/*/)
packages=("$gen"/*_pkg.sv)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

in_folders() { # in_folders OPTION...: the options, once for each folder
  local folder
  for folder in "${folders[@]}"; do printf '%s\n' "$@" "$folder"; done
}
mapfile -t libraries < <(in_folders -y)
mapfile -t yosys_libraries < <(in_folders -libdir)

# Guard of the dialect: an undeclared name must be an error in every tool, and the next file must
# not inherit it.
guards() {
  grep -q '^`default_nettype none' "$file" || echo "$file: \`default_nettype none is missing"
  [ "$(grep '^`default_nettype' "$file" | tail -n 1)" = '`default_nettype wire' ] ||
    echo "$file: does not end with \`default_nettype wire"
  # Yosys takes '1 as the value of a parameter for 1, whatever the width, and ~N'(0) for 0.
  grep -nE "(localparam|parameter)[^=]*= *('1|~.*'\()" "$file" |
    sed "s|^|$file: all ones of a parameter should be {N{1'b1}}: |"
  grep -Eq "^module $top\b" "$file" || echo "$file: the module should be called $top, as the file is"
}

# Of the module in the netlist: "Depth=4", and of the port file.
own_values() { sed -n "/^module \\\\$top\$/,/^  wire/s/^  parameter \(signed \)\?\\\\\([^ ]*\) \(.*\)/\2=\3/p" "$1" |
  sort; }
values() {
  local ports=${file%.sv}.ports differ
  [ -n "$portgen" ] && [ -e "$ports" ] || return 0
  differ=$(comm -13 <(own_values "$1") <("$portgen" --root "$root" --what parameters.txt "$ports" | sort))
  [ -z "$differ" ] || echo "$ports: $(tr '\n' ' ' <<<"$differ")is not what the RTL says by itself: $(own_values "$1" |
    tr '\n' ' ')"
}

allowed() { grep -vEf <(grep -v '^#' "$root/tests/lint/$1_allowed.txt"); } # what remains without the listed lines

case $tool in
  verilator)
    guards
    verilator --lint-only -Wall -I"$gen" "${libraries[@]}" --top-module "$top" "${packages[@]}" "$file" ;;
  ports)
    verilator --lint-only -Wall -I"$gen" "${libraries[@]}" --top-module "${top}_lint" "${packages[@]}" \
      "$gen/${top}_lint.sv" ;;
  iverilog)
    iverilog -g2012 -Wall -Y .sv -I"$gen" "${libraries[@]}" -s "$top" -o "$work/out" "${packages[@]}" "$file" 2>&1 |
      allowed iverilog ;;
  yosys)
    # Of the three guards the first is in guards(); the other two are here.
    # shellcheck source=tests/formal/yosys_words.sh
    . "$root/tests/formal/yosys_words.sh"
    # shellcheck disable=SC2046
    yosys -q $(yosys_words) -e 'implicitly declared' \
      -p "verilog_defaults -add -I$gen; read_verilog -sv ${packages[*]} $file
      hierarchy -check -top $top ${yosys_libraries[*]}; proc; check -assert; write_rtlil $work/out" 2>&1 |
      allowed yosys ;;
  *)
    echo "lint.sh: no tool '$tool'"
    exit 2 ;;
esac >"$work/said" 2>&1
status=$?
sed -i '/^- V/d' "$work/said"                      # what a later Verilator reports of its own work
case $tool in iverilog | yosys) # the pipe's status is grep's: the tool has accepted the file when it wrote its result
  [ -e "$work/out" ]
  status=$?
  [ "$tool" != yosys ] || [ $status -ne 0 ] || values "$work/out" >>"$work/said"
esac
if [ $status -ne 0 ] || [ -s "$work/said" ]; then
  cat "$work/said"
  echo "lint: $tool does not accept $file (status $status)"
  exit 1
fi
