#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The generated port wrapper must refuse RTL whose ports differ from the port file: widens one port
# of a copy of the round-robin arbiter and lints the wrapper against it. A parameter whose value by
# itself is another one is refused, too.
#   must_fire_ports.sh GENERATED_FOLDER PORTGEN

set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
lint() { verilator --lint-only -Wall -I"$1" -y "$work" --top-module arb_rr_lint "$1"/*_pkg.sv "$1/arb_rr_lint.sv" 2>&1 |
  sed '/^- V/d'; }

cp "$root/rtl/lib/arb_rr.sv" "$work"
said=$(lint "$1")
[ -z "$said" ] || { printf 'the unchanged arbiter is refused:\n%s\n' "$said"; exit 1; }
sed -i 's/output\( *logic *\)\[NumReq-1:0\]\( *gnt_o\)/output\1[NumReq:0]\2/' "$work/arb_rr.sv"
cmp -s "$root/rtl/lib/arb_rr.sv" "$work/arb_rr.sv" &&
  { echo 'the copy was not changed: gnt_o is declared differently'; exit 1; }
said=$(lint "$1")
grep -q 'gnt_o' <<<"$said" || { printf 'a wider gnt_o went unseen:\n%s\n' "$said"; exit 1; }

cp "$root"/rtl/lib/arb_rr.{sv,ports} "$work"
said=$("$root/tests/lint/lint.sh" yosys "$1" "$work/arb_rr.sv" "$2" 2>&1) ||
  { printf 'the unchanged arbiter is refused:\n%s\n' "$said"; exit 1; }
sed -i 's/\(int *NumReq *= *\)[0-9]*/\15/' "$work/arb_rr.sv"
said=$("$root/tests/lint/lint.sh" yosys "$1" "$work/arb_rr.sv" "$2" 2>&1)
grep -q 'arb_rr.ports: NumReq=4 is not what the RTL says by itself: NumReq=5' <<<"$said" ||
  { printf 'another NumReq went unseen:\n%s\n' "$said"; exit 1; }
