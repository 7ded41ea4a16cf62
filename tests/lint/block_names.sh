#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command and the systems know no block by name: parts say which instances they have
# (harness/systems/shell/part.h), blocks.cmake which blocks there are. So no literal of harness/systems/shell,
# its parts apart, or harness/cli is a block's name. (run_keys.def has names of parts, whose
# counters it shows.)
#   block_names.sh FOLDER    FILE:LINE: "X" ...
#   block_names.sh --fires   it sees such a literal, and no comment

# Where one is meant: what is measured, what a network is made of, and the rule and keys that are
# named as the NSU paper's.
meant=(harness/cli/bench/bench_lockstep.c harness/cli/bench/bench_model.c harness/cli/network/verb_network.c
  harness/cli/offload/verb_offload.c harness/cli/offload/offload_count.c)

check() ( # check FOLDER
  cd "$1" || exit 3
  names=$(sed -nE 's,^ *add_block\([a-z0-9_]+/([a-z0-9_]+).*,\1,p' blocks.cmake | paste -sd'|')
  [ -n "$names" ] || { echo 'block_names.sh: no blocks in blocks.cmake'; exit 3; }
  shopt -s nullglob
  files=(harness/systems/shell/*.{c,h,cpp} harness/cli/*.{c,h})
  [ "${#files[@]}" -gt 0 ] || { echo 'block_names.sh: no sources'; exit 3; }
  # A line of a comment alone, and what stands in one behind code.
  grep -nHE "\"($names)\"" "${files[@]}" | grep -vE '^[^:]*:[0-9]*: *(\*|/\*)' | sed -E 's,/\*.*\*/,,' |
    grep -E "\"($names)\"" |
    grep -vF "$(printf '%s:\n' "${meant[@]}")" |
      sed -E "s,^([^:]*:[0-9]*):.*(\"($names)\").*,\1: \2 is a block's name; let its part say it," | grep . && exit 1
  exit 0
)

fires() {
  local folder said
  folder=$(mktemp -d) || exit 3
  trap 'rm -rf "$folder"' EXIT
  mkdir -p "$folder"/harness/{systems/{parts,shell},cli/bench} || exit 3
  echo 'add_block(nsu/nsu)' >"$folder/blocks.cmake"
  echo 'f("nsu");' | tee "$folder/harness/systems/parts/part_nsu.c" >"$folder/harness/cli/bench/bench_model.c"
  printf '%s\n' '/* "nsu" */' ' * "nsu"' 'char name[9]; /* "nsu" */' \
    'f("nsu_paper");' >"$folder/harness/systems/shell/system.h"
  said=$(check "$folder") || { echo "block_names.sh complains of what is right: $said"; exit 1; }
  printf '%s\n' 'int a;' 'if (!strcmp(name, "nsu")) return 1;' >"$folder/harness/systems/shell/system.c"
  said=$(check "$folder") && { echo 'block_names.sh does not see a name'; exit 1; }
  [ "$said" = "harness/systems/shell/system.c:2: \"nsu\" is a block's name; let its part say it" ] ||
    { echo "block_names.sh says: $said"; exit 1; }
  : >"$folder/blocks.cmake"
  check "$folder" >/dev/null && { echo 'block_names.sh is content without blocks'; exit 1; }
  true
}

case $1 in
--fires) fires ;;
*) check "${1:?block_names.sh FOLDER}" ;;
esac
