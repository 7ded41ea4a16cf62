#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   run.sh SOURCE BUILD [--write]
#
# The campaign over the C parts that have no RTL, in a build of the preset `cmutants`. Every file
# of tests/cmutants/cparts.csv must have as many mutants killed as it says, and a file that has changed since
# (its checksum says so) as large a share of them; a budget is of time, so that some come and go
# with the machine: one of a file, or one of 30, may be missing, and of all of them at least 84 %
# are killed. --write makes the file anew, with what is left in tests/cmutants/cparts-left.csv.
# BUILD/tests/cmutants has all that came out, and is kept: a second run of the same build does not
# try again.
set -eu
source=$1 build=$2
table=$source/tests/cmutants/cparts.csv left=$source/tests/cmutants/cparts-left.csv out=$build/tests/cmutants
budget=${CMUTANTS_BUDGET:-3}
mkdir -p "$out"
mapfile -t points <"$build/tests/cmutants.points"
mapfile -t programs <"$build/tests/cmutants.programs"
key="$budget $(cat "${points[@]}" "${programs[@]}" "$build/tests/campaign" | sha256sum)"
if [ "$(cat "$out/key" 2>/dev/null)" != "$key" ]; then
  rm -f "$out/key"
  "$build/tests/campaign" --budget "$budget" --out "$out" "${points[@]}" -- "${programs[@]}"
  echo "$key" >"$out/key"
fi

sum_of() { cksum <"$source/$1" | cut -d' ' -f1; }
if [ "${3-}" = --write ]; then
  {
    echo '# SPDX-License-Identifier: Apache-2.0'
    echo '# Made by harness/verify/cmutate/run.sh --write.'
    echo 'file,sources,mutants,killed'
    while IFS=, read -r file mutants killed; do
      printf '%s,%s,%s,%s\n' "$file" "$(sum_of "$file")" "$mutants" "$killed"
    done < <(tail -n +2 "$out/files.csv")
  } >"$table"
  {
    echo '# SPDX-License-Identifier: Apache-2.0'
    echo '# Made by harness/verify/cmutate/run.sh --write: the mutants that no test kills. Long file: a line for each.'
    grep -v -E ',(killed|timeout|crash),[^,]*$' "$out/mutants.csv" | sed 's/,by$//; s/,$//'
  } >"$left"
  exit 0
fi

[ -f "$table" ] || {
  echo "run.sh: no tests/cmutants/cparts.csv to compare with; run.sh $source $build --write makes it" >&2
  exit 3
}
bad=0
fewer() { echo $(($1 / 30 > 1 ? $1 / 30 : 1)); }
wrong() { echo "WRONG: $*"; bad=1; }
while IFS=, read -r file sources mutants killed; do
  now=$(awk -F, -v file="$file" '$1 == file { print $2 "," $3 }' "$out/files.csv")
  if [ -z "$now" ]; then
    wrong "$file: the table has it, this build draws no mutants of it"
  elif [ "$sources" != "$(sum_of "$file")" ]; then
    [ $(((${now#*,} + $(fewer "$mutants")) * mutants)) -ge $((killed * ${now%,*})) ] && continue
    wrong "$file: of what it was $killed of $mutants mutants were killed, of what it is now ${now#*,} of ${now%,*}"
  else
    [ "${now%,*}" = "$mutants" ] && [ $((${now#*,} + $(fewer "$mutants"))) -ge "$killed" ] && continue
    wrong "$file: $killed of $mutants mutants were killed, now mutants,killed are $now"
  fi
done < <(grep -v '^#' "$table" | tail -n +2)
awk -F, 'NR > 1 { all += $2; killed += $3 } END { exit !(100 * killed >= 84 * all) }' "$out/files.csv" ||
  wrong 'of all mutants less than 84 % are killed'
exit $bad
