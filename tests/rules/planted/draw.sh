#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# draw.sh TREE SEED COUNT: rules of TREE/docs/rules.md, drawn by seed, a number a line: those whose
# SHA-256 of "SEED RULE" is smallest. Each gets a misreading that RTL and model share.
set -euo pipefail
tree=$1 seed=$2 count=$3
grep -o '^| [A-Z][0-9]* |' "$tree/docs/rules.md" | tr -d '| ' | while read -r rule; do
  echo "$(printf '%s %s' "$seed" "$rule" | sha256sum | cut -d ' ' -f 1) $rule"
done | sort | awk -v count="$count" 'NR <= count { print $2 }'
