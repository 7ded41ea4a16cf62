#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# A result that does not fit leaves the old file as it was and nothing beside it. The limit on file sizes plays the disk; every verb
# on a file system that is full: full_disk_verbs.sh.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

echo precious >result.json
runs 3 bash -c 'trap "" XFSZ; ulimit -f 0; "$0" list --json result.json 2>&1' "$lockstack"
matches "$out" 'result.json: cannot write' 'the error line'
equal "$(cat result.json)" precious 'the old result'
equal "$(find . -name 'result.json.*')" '' 'left-over files'
