#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Commands in the documentation are ones the program knows, on files that exist.   readme.sh FOLDER
# LOCKSTACK

cd "${1:?readme.sh FOLDER LOCKSTACK}" || exit 3
status=0 seen=0
verbs=" $("$2" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | xargs) "
while IFS=: read -r file line; do
  read -ra words <<<"${line%%#*}"
  seen=$((seen + 1))
  verb=${words[1]-}
  case $verb in -*) continue ;; esac
  [[ $verbs == *" $verb "* ]] || { echo "$file: no verb '$verb': $line"; status=1; continue; }
  help=$("$2" "$verb" --help)
  for word in "${words[@]:2}"; do
    case $word in
      --*) grep -q -- "${word%%=*}\b" <<<"$help" || { echo "$file: $verb has no option $word"; status=1; } ;;
      docs/* | firmware/* | harness/*) [ -e "$word" ] || { echo "$file: no file $word"; status=1; } ;;
    esac
  done
done < <(grep -Ho --include='*.md' -r '^    \./lockstack .*' README.md CONTRIBUTING.md docs rtl harness firmware tests \
  synth |
  sed 's|: *|:|')
[ $seen -gt 5 ] || { echo "readme.sh: only $seen commands found"; exit 1; }
exit $status
