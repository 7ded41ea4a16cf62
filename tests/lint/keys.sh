#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A key of a system is typed once, in its list (harness/base/key_list.h).
#   keys.sh FOLDER    FILE:LINE: what is typed twice:
#     - a key or a field in two entries of the lists that one table is made of
#     - a field of a list that a struct X_config_t or X_values_t of the same folder declares by hand
#     - an end of a key's range in a comparison (c->FIELD < LEAST, c->FIELD > MOST), or a field that
#       is set to a number, in a file that makes a table or defaults of its list
#   keys.sh --fires   it sees each of these, and nothing in a tree without them

check() ( # check FOLDER
  cd "$1" || exit 3
  mapfile -t lists < <(find cmodel harness -name '*.def' | sort)
  mapfile -t sources < <(find cmodel harness -name '*.[ch]' | sort)
  [ "${#lists[@]}" -gt 0 ] || { echo 'keys.sh: no lists of keys'; exit 3; }
  found=$(awk '
    function base(path) { sub(/.*\//, "", path); return path }
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
    function say(text) { print FILENAME ":" FNR ": " text }
    function quoted(line,    of) { split(line, of, "\""); return of[2] }

    # Lists: entries of KEY_X("key", field, least, most, ...), in their order; what a list includes.
    FILENAME ~ /\.def$/ && /^(KEY|SUB|UNIT)_[A-Z0-9]+\("/ {
      split($0, part, ",")
      list = base(FILENAME)
      i = ++entries[list]
      at_ = /^UNIT/ ? 3 : 2 # UNIT_X("key", unit, field, ...): its field is unit.field
      name_ = trim(part[at_])
      key[list, i] = quoted(part[1])
      field[list, i] = (/^UNIT/ ? trim(part[2]) "." : "") name_
      if (/^[A-Z]+_(UINT|UINT64|REAL)\(/) { least[list, i] = trim(part[at_ + 1]); most[list, i] = trim(part[at_ + 2]) }
      if (!/^SUB/) own[folder(FILENAME), (/^UNIT/ ? trim(part[2]) "_" : "") name_] = list
      keys++
    }
    FILENAME ~ /\.def$/ && /^#include "/ { includes[base(FILENAME)] = includes[base(FILENAME)] " " quoted($0) }
    FILENAME ~ /\.def$/ { next }

    FNR == 1 { made = ""; delete of_table; delete of_field; delete bound_least; delete bound_most; delete listed; hand = 0 }

    # A file that makes something of lists.
    /^#define KEYS_(IN|AS_)/ && $2 == "KEYS_IN" { inside = $3 }
    /^#define KEYS_OF/ { delete of_field }
    /^#define KEYS_AS_/ { made = $2; delete of_table; delete of_field }
    /^#include ".*\.def"/ && made != "" { take(quoted($0)) }
    function take(list,    i, n, more) {
      for (i = 1; i <= entries[list]; i++) {
        if (made == "KEYS_AS_TABLE") {
          if (of_table[key[list, i]]++) say("the key " key[list, i] " of " list " is in this table already")
          if (of_field[inside field[list, i]]++) say("the field " field[list, i] " of " list " is in this table already")
        }
        if (made == "KEYS_AS_TABLE" || made == "KEYS_AS_DEFAULTS") {
          listed[field[list, i]] = list
          if ((list, i) in least) { bound_least[field[list, i]] = least[list, i]; bound_most[field[list, i]] = most[list, i] }
        }
      }
      n = split(includes[list], more, " ")
      for (i = 1; i <= n; i++) take(more[i])
    }

    # A struct of values: its end has its name, so its fields wait for that.
    /^typedef struct/ { hand = 1; fields = 0; next }
    hand && /^} [a-z_0-9]+;/ {
      if ($2 ~ /_(config|values)_t;/)
        for (i = 1; i <= fields; i++)
          if ((folder(FILENAME), name[i]) in own)
            print FILENAME ":" at[i] ": the field " name[i] " is declared by hand; " own[folder(FILENAME), name[i]] " has it"
      hand = 0
    }
    hand && /^  [a-z]/ {
      text = $0
      sub(/;.*/, "", text)
      sub(/^ *(const )?[a-z_0-9]+ /, "", text)
      n = split(text, part, ",")
      for (i = 1; i <= n; i++) { sub(/\[.*/, "", part[i]); name[++fields] = trim(part[i]); at[fields] = FNR }
    }

    # Ends of ranges, defaults.
    {
      text = $0
      while (match(text, /(->|\.)[a-z_0-9.]+ (<|>|=) [A-Za-z0-9_.]+/)) {
        split(substr(text, RSTART, RLENGTH), part, " ")
        before = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (before ~ /[-+*\/] [a-z_]*$/ || text ~ /^ [-+*\/]/) continue # of a sum or a product
        it = part[1]
        sub(/^(->|\.)/, "", it)
        if (!(it in listed)) sub(/^[a-z_0-9]+\./, "", it) # a list may be of a struct in the struct
        if (!(it in listed)) continue
        if (part[2] == "<" && part[3] == bound_least[it] || part[2] == ">" && part[3] == bound_most[it])
          say("an end of the range of " it "; " listed[it] " has it")
        if (part[2] == "=" && part[3] ~ /^[0-9]/) say("a value of " it "; its default is in " listed[it])
      }
    }
    END { if (!keys) print "keys.sh: no keys" }' "${lists[@]}" "${sources[@]}")
  [ -z "$found" ] || { echo "$found"; exit 1; }
)

fires() {
  local folder said status=0
  folder=$(mktemp -d) || exit 3
  trap 'rm -rf "$folder"' EXIT
  plant() { # plant: a tree without faults
    rm -rf "$folder/cmodel" "$folder/harness"
    mkdir -p "$folder/cmodel/a" "$folder/harness/systemc/parts" || exit 3
    cat >"$folder/cmodel/a/a_keys.def" <<'EOT'
KEY_UINT("a.lanes", lanes, 1, MAX_LANES, 4, "", "ours", "lanes")
KEY_REAL("a.share", share, 0.5, 2, 1, "", "ours",
         "share")
SECTION(a_unit, unit)
UNIT_UINT("a.fast", unit, fast, 1, 2, 1, "", "ours", "fast")
SECTION_END(a_unit, unit)
EOT
    cat >"$folder/cmodel/a/b_keys.def" <<'EOT'
SUB_UINT("b.queue", sub.queue, 1, 8, 4, "", "ours", "queue")
#include "c_keys.def"
EOT
    echo 'KEY_UINT("c.lanes", lines, 0, 9, 4, "", "ours", "lines")' >"$folder/cmodel/a/c_keys.def"
    cat >"$folder/cmodel/a/a.h" <<'EOT'
typedef struct a_config {
#define KEYS_AS_FIELDS
#include "a_keys.def"
  unsigned own, queue;
} a_config_t;
typedef struct {
  unsigned lanes;
} a_stats_t;
EOT
    cat >"$folder/cmodel/a/a.c" <<'EOT'
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"
#include "a_keys.def"
#undef KEYS_IN
#define KEYS_IN part.
#include "b_keys.def"
#define KEYS_AS_DEFAULTS
#include "a_keys.def"
bool two(const a_config_t *c) { return c->lanes > 1 || c->own * c->lanes > MAX_LANES || c->own = 3; }
EOT
    printf '%s\n' '#include "a_keys.def"' 'void slow(a_config_t *c) { c->lanes = 1; }' >"$folder/cmodel/a/user.c"
  }
  sees() { # sees TEXT FILE SED: with this edit, TEXT and nothing else is said
    plant
    sed -i "$3" "$folder/$2"
    said=$(check "$folder") && { echo "keys.sh does not see: $1"; status=1; }
    [[ $said == *"$1"* && $said != *$'\n'* ]] || { echo "'$1' is not all of: $said"; status=1; }
  }
  plant
  said=$(check "$folder") || { echo "keys.sh complains of a right tree: $said"; status=1; }
  sees 'a.c:7: the key a.lanes of c_keys.def is in this table already' cmodel/a/c_keys.def 's/c.lanes/a.lanes/'
  sees 'a.c:7: the field lines of c_keys.def is in this table already' cmodel/a/b_keys.def 's/sub.queue/lines/'
  sees 'a.h:4: the field share is declared by hand; a_keys.def has it' cmodel/a/a.h 's/own, queue/own, share/'
  sees 'a.c:10: an end of the range of lanes; a_keys.def has it' cmodel/a/a.c 's/lanes > 1/lanes > MAX_LANES/'
  sees 'a.c:10: an end of the range of share; a_keys.def has it' cmodel/a/a.c 's/lanes > 1/share < 0.5/'
  sees 'a.c:10: an end of the range of unit.fast; a_keys.def has it' cmodel/a/a.c 's/lanes > 1/unit.fast > 2/'
  sees 'a.c:10: an end of the range of lines; c_keys.def has it' cmodel/a/a.c 's/lanes > 1/part.lines > 9/'
  sees 'a.h:4: the field unit_fast is declared by hand; a_keys.def has it' cmodel/a/a.h 's/own, queue/own, unit_fast/'
  sees 'a.c:10: a value of lanes; its default is in a_keys.def' cmodel/a/a.c 's/c->own = 3/c->lanes = 3/'
  exit $status
}

case ${1:?keys.sh FOLDER or --fires} in
--fires) fires ;;
*) check "$1" ;;
esac
