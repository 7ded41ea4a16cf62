#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The FuseSoC cores of rtl/: each is read; a folder's has all of its Verilog and nothing else; all
# are of the project's version; what a core and those that it depends on have is enough for its top
# level, once the generator of lists.core has run as FuseSoC runs it.
#   cores.sh CORE_FILE FOLDER [--fires]     CORE_FILE: the program that reads one
set -u
reader=${1:?cores.sh CORE_FILE FOLDER} root=${2:?cores.sh CORE_FILE FOLDER}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
status=0
wrong() { echo "$*"; status=1; }

# of CORE WORD: what the core has of it
of() { awk -v word="$2" '$1 == word { print $2 }' "$work/$1.read"; }

read_cores() { # read_cores TREE: NAME.read for lists and each folder's core, and where they are
  local core name
  for core in "$1"/rtl/*.core "$1"/rtl/*/*.core; do
    name=$(basename "$core" .core)
    "$reader" "$core" >"$work/$name.read" 2>"$work/said" || wrong "$(cat "$work/said")"
    dirname "$core" >"$work/$name.at"
    [ "$(of "$name" name)" = "lockstack:rtl:$name:$version" ] ||
      wrong "$core: is called $(of "$name" name), not lockstack:rtl:$name:$version"
  done
}

same_files() { # same_files TREE: each folder's Verilog
  local folder name
  for folder in "$1"/rtl/*/; do
    name=$(basename "$folder")
    [ -e "$work/$name.read" ] || { wrong "rtl/$name: no $name.core"; continue; }
    diff <(of "$name" file | sort) <(cd "$folder" && printf '%s\n' *.sv | sort) >"$work/said" ||
      wrong "rtl/$name/$name.core: its files are not the folder's: $(grep '^[<>]' "$work/said" | head -n 1)"
  done
}

generate() { # what lists.core's command makes, as FuseSoC calls it
  mkdir "$work/made" && cd "$work/made" || exit 3
  printf "files_root: %s\ngapi: '1.0'\nparameters: {}\nvlnv: lockstack:rtl:lists-packages:%s\n" "$root/rtl" \
    "$version" >config.yml
  bash "$root/rtl/$(of lists command)" config.yml || wrong 'the generator failed'
  "$reader" packages.core >"$work/lists.read" || wrong 'the core that the generator makes cannot be read'
  pwd >"$work/lists.at"
}

files_of() { # files_of CORE: paths, those of dependencies first
  local one file
  for one in $(of "$1" depend); do files_of "$(cut -d: -f3 <<<"$one")"; done
  for file in $(of "$1" file); do echo "$(<"$work/$1.at")/$file"; done
}

elaborate() {
  local core top file
  for core in "$work"/*.read; do
    core=$(basename "$core" .read)
    top=$(of "$core" toplevel)
    [ -n "$top" ] || continue
    files_of "$core" | awk '!seen[$0]++' >"$work/files"
    file=$(grep -v '\.svh$' "$work/files")
    # shellcheck disable=SC2086
    verilator --lint-only -Wall -Wno-MULTITOP -I"$work/made" --top-module "$top" $file >"$work/said" 2>&1 ||
      wrong "$core: $top: $(head -n 1 "$work/said")"
  done
}

version=$(sed -n 's/^project(lockstack VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
if [ "${3:-}" != --fires ]; then
  read_cores "$root"
  same_files "$root"
  generate
  elaborate
  exit $status
fi

# Each mistake is told.
told() { # told REGEX: by the last read_cores and same_files of the copy
  local said
  said=$(read_cores "$work/copy"; same_files "$work/copy")
  grep -qE "$1" <<<"$said" || { echo "cores.sh does not say '$1' but: $said"; exit 1; }
}
fresh() { rm -rf "$work/copy" && mkdir "$work/copy" && cp -r "$root/rtl" "$work/copy/"; }
fresh && sed -i '/- fifo.sv/d' "$work/copy/rtl/lib/lib.core" &&
  told 'rtl/lib/lib.core: its files are not the folder.s: > fifo.sv'
fresh && sed -i 's/^name: .*/name: lockstack:rtl:lib:9.9.9/' "$work/copy/rtl/lib/lib.core" &&
  told 'lib.core: is called lockstack:rtl:lib:9.9.9'
fresh && sed -i 's/filesets:/file_sets:/' "$work/copy/rtl/nsu/nsu.core" &&
  told "nsu.core:.*'file_sets' is no key of a core"
fresh && printf 'CAPI=2:\nname: [a\n' >"$work/copy/rtl/tom/tom.core" && told 'tom.core:'
fresh && read_cores "$work/copy" && sed -i '/depend/s/lockstack:rtl:lib, //' "$work/copy/rtl/router/router.core" &&
  read_cores "$work/copy" && generate
elaborate >"$work/out"
grep -q '^router: router: .*Cannot find file containing module' "$work/out" ||
  { echo "cores.sh does not miss a dependency: $(cat "$work/out")"; exit 1; }
