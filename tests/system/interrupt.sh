#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ctrl-C ends long work cleanly: exit status 3, one line, and the JSON of what is known so far.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

interrupted() { timeout --foreground --preserve-status -s INT 1.5 "$lockstack" "$@"; }

runs 3 interrupted check fifo --cycles 100000000000 --json check.json
matches "$out$err" 'interrupted|stopped before its end' 'what check says'
matches "$(json check.json cycles)" '^[1-9][0-9]*$' 'the cycles done so far'

runs 3 interrupted memory --requests 100000000000 --json memory.json
matches "$err" 'interrupted' 'what memory says'
matches "$(json memory.json requests)" '^[1-9][0-9]*$' 'the requests done so far'

runs 3 interrupted bench vault --samples 64 --json bench.json
matches "$err" 'interrupted' 'what bench says'
equal "$(json bench.json figures.0.bench)" vault 'the figure measured so far'
