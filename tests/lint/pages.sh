#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every page of docs/ is in its index, docs/README.md.
#   pages.sh FOLDER    docs/X.md: not in docs/README.md
#   pages.sh --fires   it sees one that is not

check() ( # check FOLDER
  cd "$1/docs" || exit 3
  status=0 pages=0
  for page in *.md; do
    [ "$page" != README.md ] || continue
    pages=$((pages + 1))
    grep -qF "]($page)" README.md || { echo "docs/$page: not in docs/README.md"; status=1; }
  done
  [ $pages -gt 0 ] || { echo 'pages.sh: no pages'; exit 1; }
  exit $status
)

fires() {
  local folder said
  folder=$(mktemp -d) || exit 3
  trap 'rm -rf "$folder"' EXIT
  mkdir "$folder/docs"
  echo '[a](a.md), b.md' >"$folder/docs/README.md"
  check "$folder" >/dev/null && { echo 'pages.sh is content without pages'; exit 1; }
  : >"$folder/docs/a.md"
  check "$folder" || { echo 'pages.sh complains of a page that is in the index'; exit 1; }
  : >"$folder/docs/b.md"
  said=$(check "$folder") && { echo 'pages.sh sees no page that is left out'; exit 1; }
  [ "$said" = 'docs/b.md: not in docs/README.md' ] || { echo "pages.sh says: $said"; exit 1; }
}

case $1 in
--fires) fires ;;
*) check "${1:?pages.sh FOLDER}" ;;
esac
