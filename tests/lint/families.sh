#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a block's model and stimulus include, also through other headers, is of the block's family
# or of lib: what was measured of it goes stale when any of that changes
# (harness/lockstep/engine/fingerprint.h), so a change of one family's lists must not reach another's
# blocks.
#   families.sh FOLDER       FILE: includes X of family F, through Y
#   families.sh --fires      it sees such an include, direct and through a header

check() ( # check FOLDER
  cd "$1" || exit 3
  files=(cmodel/blocks/*/*.[ch] tests/lockstep/*.[ch])
  [ -e "${files[0]}" ] || { echo 'families.sh: no sources'; exit 3; }
  found=$(
    { printf 'block %s\n' rtl/*/*.ports; printf 'file %s\n' "${files[@]}"; grep -nHE '^[ \t]*#[ \t]*include[ \t]*"' \
      "${files[@]}"; } |
      awk '
      function base_of(path) { sub(/.*\//, "", path); return path }
      function family_of(path,    part) { # a stimulus has none of its own
        split(path, part, "/")
        return part[1] == "tests" ? "" : part[1] == "cmodel" ? part[3] : part[2]
      }
      function walk(file, through,    i, n, next_, family) {
        if (seen[block, file]++) return
        family = family_of(file)
        if (family != "" && family != own && family != "lib") {
          if (file ~ /h$/) print start ": includes " file " of family " family through # its model comes with it
          return
        }
        n = split(to[file], next_, " ")
        for (i = 1; i <= n; i++) walk(next_[i], file == start ? "" : ", through " file)
      }
      $1 == "block" { block = base_of($2); sub(/\.ports$/, "", block); family[block] = family_of($2); next }
      $1 == "file" { known[$2]; path[base_of($2)] = $2; next }
      { split($0, word, "\""); file = substr($0, 1, index($0, ":") - 1); includes[file] = includes[file] " " word[2] }
      END {
        for (file in includes)
          for (i = split(includes[file], name, " "); i > 0; i--) {
            it = path[name[i]]
            if (it == "") continue
            to[file] = to[file] " " it
            sub(/h$/, "c", it)
            if (it in known && it ~ /^cmodel/) to[file] = to[file] " " it # a model beside its header is compiled in
          }
        for (block in family) {
          own = family[block]
          walk(start = "cmodel/blocks/" own "/" block ".c", "")
          walk(start = "tests/lockstep/" block ".c", "")
        }
      }' | sort
  )
  [ -z "$found" ] && exit 0
  echo "$found"
  exit 1
)

fires() {
  local folder said
  folder=$(mktemp -d) || exit 3
  trap 'rm -rf "$folder"' EXIT
  mkdir -p "$folder"/rtl/{a,b,lib} "$folder"/cmodel/blocks/{a,b,lib} "$folder"/tests/lockstep
  touch "$folder"/rtl/{a/x,b/y,lib/z}.ports "$folder"/cmodel/blocks/{a/x,b/y,b/y_list,lib/z}.{c,h} \
    "$folder"/tests/lockstep/{y,z}.c
  echo '#include "z.h"' >"$folder/cmodel/blocks/a/x.c"
  echo '#include "stim.h"' >"$folder/tests/lockstep/x.c"
  echo '#include "y_list.h"' >"$folder/cmodel/blocks/b/y.h"
  echo '#include "y.h"' >"$folder/tests/lockstep/y.c"
  touch "$folder/tests/lockstep/stim.h"
  said=$(check "$folder") || { echo "families.sh complains of what is right: $said"; exit 1; }
  echo '#include "y_list.h"' >"$folder/tests/lockstep/stim.h"
  said=$(check "$folder") && { echo 'families.sh sees no include through a header'; exit 1; }
  [ "$said" = 'tests/lockstep/x.c: includes cmodel/blocks/b/y_list.h of family b, through tests/lockstep/stim.h' ] ||
    { echo "families.sh says: $said"; exit 1; }
  echo >"$folder/tests/lockstep/stim.h"
  echo '#include "y.h"' >"$folder/cmodel/blocks/lib/z.c"
  said=$(check "$folder") && { echo "families.sh does not see what lib includes"; exit 1; }
  [[ $said == *'cmodel/blocks/lib/z.c: includes cmodel/blocks/b/y.h of family b'* ]] || { echo "families.sh says: $said"; exit 1; }
}

case $1 in
--fires) fires ;;
*) check "${1:?families.sh FOLDER}" ;;
esac
