#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Relative links in Markdown files lead to files that exist.   links.sh FOLDER

cd "${1:?links.sh FOLDER}" || exit 3
status=0 links=0
while IFS=: read -r file link; do
  target=${link#](}
  target=${target%%[)#]*}
  links=$((links + 1))
  case $target in http*://* | mailto:* | '') continue ;; esac
  [ -e "${file%/*}/$target" ] || { echo "$file: no file $target"; status=1; }
done < <(find . -name '*.md' -not -path './build/*' -exec grep -Ho '](\([^)]*\))' {} +)
[ $links -gt 0 ] || { echo 'links.sh: no links found'; exit 1; }
exit $status
