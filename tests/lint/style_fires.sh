#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every rule of style.sh must fire on a file that breaks it, and none on one that keeps them.

set -u
style=$(cd "$(dirname "$0")" && pwd)/style.sh
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
spdx='/* SPDX-License-Identifier: Apache-2.0 */'
status=0

fires() { # fires TEXT FILE: standard input as FILE, alone in a folder, must bring a line with TEXT
  mkdir -p "$work/tree/tests" && cat >"$work/tree/$2"
  said=$("$style" "$work/tree")
  grep -qF -- "$1" <<<"$said" || { echo "'$1' does not fire; it said: $said"; status=1; }
  rm -r "$work/tree"
}

fires 'no SPDX line' a.c <<<'int x;'
fires 'more than 600 lines' a.c < <(echo "$spdx"; yes 'int x;' | head -n 600)
fires 'more than 400 lines' a.sv < <(echo "// $spdx"; yes 'logic x;' | head -n 400)
fires 'no newline' a.c < <(printf '%s' "$spdx")
fires 'a tab' a.c < <(printf '%s\n\tint x;\n' "$spdx")
fires 'white space' a.c < <(printf '%s\nint x; \n' "$spdx")
fires 'more than 160 columns' a.sh < <(printf '%s\n%0161d\n' "# $spdx" 0)
fires 'more than 120 columns' a.c < <(printf '%s\n%0121d\n' "$spdx" 0)
fires 'more than 120 columns' a.py < <(printf '# %s\n%0121d\n' "$spdx" 0)
fires 'more than 120 columns' CMakeLists.txt < <(printf '# %s\n%0121d\n' "$spdx" 0)
fires 'more than 120 columns' a.h < <(printf '%s\nf("%0120d", 1);\n' "$spdx" 0)
fires 'a comment of more than 100 columns' a.c < <(printf '%s\n/* %0098d */\n' "$spdx" 0)
fires 'a comment of more than 100 columns' a.c < <(printf '%s\n/* a\n * %0098d */\n' "$spdx" 0)
fires 'more than 800 lines' tests/a.c < <(echo "$spdx"; yes 'int x;' | head -n 800)
fires 'more than 100 columns' a.ports < <(printf '%s\n%0101d\n' "$spdx" 0)
fires "the cast's width" a.sv < <(printf "// %s\nassign y = ~N'(x);\n" "$spdx")
fires 'loses the width' a.sv < <(printf "// %s\nassign y = {a, D != 0 ? b[i +: 4] : N'(0)};\n" "$spdx")
fires 'jansson.h drops' a.c < <(printf '%s\n#include <jansson.h>\n' "$spdx")
fires 'left undone' a.c < <(printf '%s\n/* TO%s: later */\n' "$spdx" DO)

mkdir "$work/good" && { echo "$spdx"; printf '"%0150d",\n' 0; echo '/* Long file: one table. */'; yes 'int x;' |
  head -n 700; } >"$work/good/a.c"
"$style" "$work/good" || { echo 'a good file is refused'; status=1; }
exit $status
