#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# A result that does not fit leaves nothing, the old file neither, which would look like the new
# one. The limit on file sizes plays the disk; every verb on a file system that is full:
# full_disk_verbs.sh.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

echo precious >result.json
runs 3 bash -c 'trap "" XFSZ; ulimit -f 0; "$0" list --json result.json 2>&1' "$lockstack"
matches "$out" 'result.json: cannot write' 'the error line'
equal "$(find . -name 'result.json*')" '' 'the old result, and left-over files'

# Who reads ends first: not a failure to tell
runs 0 bash -c '"$0" list blocks | read -r; true' "$lockstack"
equal "$err" '' 'what list says into a pipe that nobody reads'

# Standard output that takes nothing: each verb's help, what no verb has, and reports
for verb in $("$lockstack" --help | awk '/^  [a-z]/ { print $1 }'); do
  refuses 3 'standard output: cannot write: No space' bash -c '"$0" "$1" --help >/dev/full' "$lockstack" "$verb"
done
for words in --help --version '--names blocks' 'list --usage' list 'list --json -' 'check fifo --cycles 1000' \
  'prove --list' 'memory --requests 100' \
  'offload firmware/workloads/kernels/vadd/vadd.ptx' 'draw nsu' 'regress smoke --dry-run'; do
  refuses 3 'standard output: cannot write: No space' bash -c 'cd "$1" && "$0" $2 >/dev/full' "$lockstack" "$source" \
    "$words"
done
