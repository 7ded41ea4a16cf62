#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What went wrong is a trouble_t (harness/base/trouble.h), and a verdict an outcome_t. There is no
# third way.
#   errors.sh FOLDER    FILE:LINE: another way:
#     - a function that takes a text for an error: `char *error, size_t size`, `char wrong[200]`
#     - a static text for an error, which the next call overwrites
#     - a type X_error_t that holds no trouble_t
#     - a header's function that returns an error as `const char *`, NULL if there is none
#   errors.sh --fires   it sees each of these, and nothing in a tree without them
#
# Not asked: golden models and devices (cmodel/blocks, harness/lockstep/dut: C that is also built
# without the tree), the C interface for programs (harness/cuda/embed), CUDA's own headers.

check() ( # check FOLDER
  cd "$1" || exit 3
  mapfile -t files < <(find cmodel/sim harness firmware -name '*.[ch]' \
    -not -path 'harness/lockstep/dut/*' -not -path 'harness/cuda/embed/*' -not -path 'harness/cuda/include/*' | sort)
  [ "${#files[@]}" -gt 0 ] || { echo 'errors.sh: no sources'; exit 3; }
  found=$(awk '
    function say(line, text) {
      print FILENAME ":" line ": " text "; a trouble_t would be right (harness/base/trouble.h)"
    }
    BEGIN {
      word = "(error|err|wrong|refusal|complaint|message|failure)"
      returned = "NULL,? or (an error|the error|what is wrong|what is undefined)|NULL: (valid|no error|all is right)"
    }
    FNR == 1 { signature = ""; type = 0; said = "" }

    # A signature: from a line that begins with a word to its { or ;
    signature == "" && /^[a-z].*\(/ && !/^(typedef|else|if|for|while|switch|return)/ { signature = $0; first = FNR }
    signature != "" && FNR > first { signature = signature " " $0 }
    signature != "" && /[{;]/ {
      sub(/[{;].*/, "", signature)
      if (signature ~ "(\\(|, )char (\\*" word ", (size_t|unsigned|int) |" word "\\[)")
        say(first, "an error as a text of its own size")
      if (FILENAME ~ /\.h$/ && signature ~ /^const char \*[a-z_0-9]+\(/ && said != "")
        say(first, "an error as a returned text")
      signature = ""
    }

    # What the comment above a function says.
    /^(\/\*| \*)/ {
      if (/^\/\*/) said = ""
      comment = comment " " $0
      if (/\*\/$/) {
        if (comment ~ returned) said = comment
        comment = ""
      }
      next
    }
    !/^[ \t)]/ && signature == "" { said = "" }

    $0 ~ "^ *static char \\**" word "\\[" { say(FNR, "an error in a static text") }

    /^typedef struct/ { type = FNR; holds = 0 }
    type && /trouble_t/ { holds = 1 }
    type && /^} [a-z_0-9]+;/ {
      if ($2 ~ /_(error|err|failure)_t;$/ && !holds) say(type, "a type of errors")
      type = 0
    }' "${files[@]}")
  [ -z "$found" ] || { echo "$found"; exit 1; }
)

fires() {
  local folder said status=0
  folder=$(mktemp -d) || exit 3
  trap 'rm -rf "$folder"' EXIT
  plant() { # plant: a tree without faults
    rm -rf "$folder/cmodel" "$folder/harness" "$folder/firmware"
    mkdir -p "$folder"/{cmodel/sim,harness,firmware} || exit 3
    cat >"$folder/harness/a.h" <<'EOT'
typedef struct {
  trouble_t trouble;
  int line;
} a_error_t;
/* The name of a thing. NULL: there is none. */
const char *a_name(unsigned thing);
/* Opens a file; false: what is wrong. */
bool a_open(a_t *a, const char *path,
            const char *mode, trouble_t *trouble);
EOT
    cat >"$folder/harness/a.c" <<'EOT'
static const char *advice(const char *error, int tool) {
  static char text[20];
  return error ? text : NULL;
}
EOT
  }
  sees() { # sees TEXT FILE SED: with this edit, TEXT and nothing else is said
    plant
    sed -i "$3" "$folder/$2"
    said=$(check "$folder") && { echo "errors.sh does not see: $1"; status=1; }
    [[ $said == *"$1"* && $said != *$'\n'* ]] || { echo "'$1' is not all of: $said"; status=1; }
  }
  plant
  said=$(check "$folder") || { echo "errors.sh complains of a right tree: $said"; status=1; }
  sees 'a.h:8: an error as a text of its own size' harness/a.h 's/trouble_t \*trouble/char *error, size_t size/'
  sees 'a.h:8: an error as a text of its own size' harness/a.h 's/trouble_t \*trouble);/char wrong[A_TEXT]);/'
  sees 'a.h:6: an error as a returned text' harness/a.h 's/NULL: there is none/NULL, or what is wrong/'
  sees 'a.c:2: an error in a static text' harness/a.c 's/char text/char wrong/'
  sees 'a.h:1: a type of errors' harness/a.h 's/trouble_t trouble;/char text[20];/'
  exit $status
}

case ${1:?errors.sh FOLDER or --fires} in
--fires) fires ;;
*) check "$1" ;;
esac
