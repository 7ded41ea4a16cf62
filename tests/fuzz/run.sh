#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Searches with one target: run.sh PROGRAM FOLDER RUNS CORPUS...   New inputs go to FOLDER/found,
# failures to FOLDER/failed-*. The seed is fixed and what an earlier search found is forgotten, so
# that two searches of as many runs are the same. FUZZ_SECONDS searches that long instead of RUNS
# inputs (at most a minute). The limits of time and memory for one input are far above need.
program=$1 folder=$2 runs=$3 seconds=60
shift 3
case ${FUZZ_SECONDS-1} in
  '' | *[!0-9]* | ?????* | 0*) echo "FUZZ_SECONDS: '$FUZZ_SECONDS' should be 1 to 9999" >&2; exit 2 ;;
esac
if [ -n "${FUZZ_SECONDS-}" ]; then runs=-1 seconds=$FUZZ_SECONDS; fi
rm -rf "$folder" && mkdir -p "$folder/found" || exit 3
exec "$program" -seed=1 -runs="$runs" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=8192 \
  -print_final_stats=1 -verbosity=0 -artifact_prefix="$folder/failed-" "$folder/found" "$@"
