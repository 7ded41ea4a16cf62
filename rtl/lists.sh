#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The generator of lists.core, called by FuseSoC in an empty folder: makes the packages and types
# that RTL imports of the lists rtl/*/*.def, and a core
# file that has them.   lists.sh CONFIG.yml   vlnv: in it is what that core shall be called
set -eu
config=${1:?lists.sh CONFIG.yml, as FuseSoC calls it}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=$(sed -n 's/^vlnv: *//p' "$config" | tr -d "'\"")
[ -n "$name" ] || { echo "lists.sh: $config: no vlnv" >&2; exit 2; }

cc -std=gnu11 -D_GNU_SOURCE -O1 -I"$root/harness/base" -o portgen "$root"/harness/portgen/*.c \
  "$root"/harness/base/{trouble,one_line,entities}.c
./portgen --root "$root" --tree -o .
{
  printf 'CAPI=2:\nname: %s\nfilesets:\n  rtl:\n    file_type: systemVerilogSource\n    files:\n' "$name"
  printf '      - %s\n' *_pkg.sv
  printf '      - %s: {is_include_file: true}\n' *.svh
  printf 'targets:\n  default:\n    filesets: [rtl]\n'
} >packages.core
