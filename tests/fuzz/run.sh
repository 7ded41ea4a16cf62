#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Searches with one target: run.sh PROGRAM FOLDER RUNS CORPUS...   New inputs go to FOLDER/found, failures to FOLDER/failed-*.
# The seed is fixed and what an earlier search found is forgotten, so that two searches of as many runs are the same.
# SECONDS_EACH ends a search earlier (default 60, 0: never). The limits of time and memory for one input are far above need.
program=$1 folder=$2 runs=$3
shift 3
rm -rf "$folder" && mkdir -p "$folder/found" || exit 3
exec "$program" -seed=1 -runs="$runs" -max_total_time="${SECONDS_EACH:-60}" -timeout=20 -rss_limit_mb=2048 -max_len=8192 \
  -print_final_stats=1 -verbosity=0 -artifact_prefix="$folder/failed-" "$folder/found" "$@"
