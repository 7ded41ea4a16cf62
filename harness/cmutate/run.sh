#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   run.sh SOURCE BUILD [--write]
#
# The campaign over the C parts that have no RTL, in a build of the preset `cmutants`. Every file of docs/cparts.csv must have as many mutants
# killed as it says; --write makes the file anew, with what is left in docs/cparts-left.csv. BUILD/tests/cmutants has all that came out.
set -eu
source=$1 build=$2
table=$source/docs/cparts.csv left=$source/docs/cparts-left.csv out=$build/tests/cmutants
mkdir -p "$out"
mapfile -t points <"$build/tests/cmutants.points"
mapfile -t programs <"$build/tests/cmutants.programs"
"$build/tests/campaign" --budget "${CMUTANTS_BUDGET:-1.5}" --out "$out" "${points[@]}" -- "${programs[@]}"

if [ "${3-}" = --write ]; then
  {
    echo '# SPDX-License-Identifier: Apache-2.0'
    echo '# Made by harness/cmutate/run.sh --write.'
    echo 'file,sources,mutants,killed'
    while IFS=, read -r file mutants killed; do
      printf '%s,%s,%s,%s\n' "$file" "$(cksum <"$source/$file" | cut -d' ' -f1)" "$mutants" "$killed"
    done < <(tail -n +2 "$out/files.csv")
  } >"$table"
  {
    echo '# SPDX-License-Identifier: Apache-2.0'
    echo '# Made by harness/cmutate/run.sh --write: the mutants that no test kills.'
    grep -v -E ',(killed|timeout|crash),[^,]*$' "$out/mutants.csv" | sed 's/,by$//; s/,$//'
  } >"$left"
  exit 0
fi

[ -f "$table" ] || { echo "run.sh: no docs/cparts.csv to compare with; run.sh $source $build --write makes it" >&2; exit 3; }
bad=0
while IFS=, read -r file _ mutants killed; do
  now=$(awk -F, -v file="$file" '$1 == file { print $2 "," $3 }' "$out/files.csv")
  [ "${now%,*}" = "$mutants" ] && [ "${now#*,}" -ge "$killed" ] && continue
  echo "WRONG: $file: $killed of $mutants mutants were killed, now mutants,killed are ${now:-none}"
  bad=1
done < <(grep -v "^#" "$table" | tail -n +2)
exit $bad
