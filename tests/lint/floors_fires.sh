#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that floors.sh refuses must be refused, and a tree that keeps its floors must not be.

set -u
floors=$(cd "$(dirname "$0")" && pwd)/floors.sh
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
status=0
tree=$work/tree

put() { # put FILE INCLUDED...
  local file=$tree/$1 it
  shift
  mkdir -p "${file%/*}"
  for it; do printf '#include "%s"\n' "$it"; done >"$file"
}
start() { # a good tree: low/stone, mid/left and mid/right beside each other, top
  rm -rf "$tree" && mkdir "$tree" || exit 3
  printf '%s\n' '# a note' 'ground: low/stone: what all stand on' 'middle: mid/left mid/right: beside each other' \
    'roof: top: all of it' >"$work/floors.txt"
  put low/stone/stone.h
  put low/stone/stone.c stone.h
  put mid/left/left.h stone.h made_while_building.h
  put mid/right/gen/inner.h stone.h
  put mid/right/right.h left.h gen/inner.h
  put top/top.c right.h left.h stone.h
}
fires() { # fires TEXT: a line of floors.sh has it
  said=$("$floors" "$tree" "$work/floors.txt") && { echo "no complaint, where this one is due: $1"; status=1; }
  grep -qF -- "$1" <<<"$said" || { echo "'$1' does not fire; it said: $said"; status=1; }
}

start
"$floors" "$tree" "$work/floors.txt" || { echo 'a good tree is refused'; status=1; }
put low/stone/stone.c stone.h left.h
fires 'low/stone/stone.c:2: includes "left.h" of mid/left: an arrow up, from floor ground to floor middle'
start
put mid/left/left.c left.h right.h
fires 'a circle of folders: mid/'
start
put mid/left/stone.h
fires 'mid/right/gen/inner.h:1: includes "stone.h", and there are '
start
put attic/a.c stone.h
fires 'attic/a.c:1: folder attic is on no floor; give it a place in floors.txt'
start
echo 'cellar: low/cave: nobody' >>"$work/floors.txt"
fires 'floors.txt:5: low/cave has no sources'
start
echo 'cellar low/cave' >>"$work/floors.txt"
fires 'floors.txt:5: should be FLOOR: FOLDER ...: what is there'
start
mkdir "$tree/docs"
{ echo '<!-- floors: -->'; "$floors" --table "$work/floors.txt"; echo '<!-- end of floors -->'; \
  } >"$tree/docs/architecture.md"
"$floors" "$tree" "$work/floors.txt" || { echo 'a page with the floors as they are is refused'; status=1; }
sed -i 's/what all stand on/something else/' "$tree/docs/architecture.md"
fires 'docs/architecture.md:1: its table of floors is not that of floors.txt'
exit $status
