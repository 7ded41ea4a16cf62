#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: soak
# timeout: 7200
#
# Every block against its golden model for a long time, from seeds nobody has chosen. A failure
# names its seed.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

runs 0 "$lockstack" list blocks --json list.json
blocks=$(json list.json blocks.#)
for ((i = 0; i < blocks; i++)); do
  name=$(json list.json "blocks.$i.name")
  for _ in 1 2 3; do
    seed=$((RANDOM << 15 | RANDOM))
    runs 0 "$lockstack" check "$name" --seed $seed --cycles 1000000
    [ -z "$err" ] || echo "$name, seed $seed: $err"
  done
done
