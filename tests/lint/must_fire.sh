#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A lint that never complains proves nothing: lints a file with a known fault and demands the
# complaint that its
# "// expect TOOL: TEXT" line names.   must_fire.sh GENERATED_FOLDER FILE.sv

read -r tool text < <(sed -n 's|^// expect \([a-z]*\): |\1 |p' "$2")
if said=$("$(dirname "$0")/lint.sh" "$tool" "$1" "$2" 2>&1); then
  echo "$tool accepts $2"
  exit 1
fi
if ! grep -qF -- "$text" <<<"$said"; then
  printf '%s\nexpected: %s\n' "$said" "$text"
  exit 1
fi
