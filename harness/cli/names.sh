# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the launcher, before anything is built: the names that the command's arguments can be, read
# from the tree's own lists, and what a word that is none of them may have meant. names.c and
# nearest.c do the same for the command.
#   $root is the tree.

# names KIND: one a line, in the order of `lockstack --names KIND`
names() {
  local cli=$root/harness/cli file
  case $1 in
    verbs) sed -n 's/^lockstack_verb(\([a-z]*\).*/\1/p' "$cli/CMakeLists.txt" ;;
    blocks) sed -n 's/^add_block([a-z]*\/\([a-z0-9_]*\).*/\1/p' "$root/blocks.cmake" ;;
    systems) for file in "$root"/harness/systems/configs/*.yaml; do basename "$file" .yaml; done ;;
    workloads) sed -n 's/^WORKLOAD(\([a-z0-9_]*\),.*/\1/p' "$root/firmware/workloads/kernels/workload_list.def" ;;
    suites) sed -n 's/^SUITE("\([a-z]*\)".*/\1/p' "$cli/suites.def" ;;
    benchmarks) sed -n 's/^BENCH(\([a-z]*\),.*/\1/p' "$cli/bench/benches.def" ;;
    figures) sed -n 's/^PUBLISHED("\([^"]*\)".*/\1/p' "$root/harness/evidence/reproduce/published.def" ;;
    topologies) sed -n '/define TOPOLOGY_FORMS/,/[^\\]$/s/^ *X("\([a-z]*\)".*/\1/p' "$root/cmodel/sim/network/topology.h" ;;
    patterns) sed -n '/define TRAFFIC_PATTERNS/,/[^\\]$/s/^ *X([A-Z_]*, "\([^"]*\)".*/\1/p' \
      "$root/harness/systems/network/traffic.h" ;;
    policies) sed -n '/define NETWORK_POLICIES/,/[^\\]$/s/^ *X([A-Z_]*, "\([^"]*\)".*/\1/p' \
      "$root/cmodel/sim/network/network_policy.h" ;;
    devices) sed -n 's/^#define BLOCK_DEVICES(X) //p' "$root/harness/lockstep/engine/build.h" | grep -o '"[a-z]*"' | tr \
      -d '"' ;;
    cells) for file in "$root"/synth/cells.d/*.yaml "${XDG_CONFIG_HOME:-${HOME-}/.config}"/lockstack/cells.d/*.yaml; do
      [ ! -e "$file" ] || basename "$file" .yaml
    done ;;
    swept) printf '%s\n' run network memory ;;
    regressions) for file in "$root"/tests/suites/*.yaml; do basename "$file" .yaml; done ;;
    targets) for file in "$root"/tests/fuzz/corpus/*; do basename "$file"; done ;;
    parameters:*) sed -n 's/^PARAM(\([A-Za-z0-9_]*\).*/\1/p' "$root"/rtl/*/"${1#*:}".ports 2>/dev/null ;;
    options:*) options "${1#*:}" | grep -v OPTION_HIDDEN | sed "s/ .*//" | grep -vxE -e "--(help|usage)" ;;
    kinds) printf '%s\n' verbs blocks systems workloads suites benchmarks figures topologies patterns policies devices \
      swept regressions \
      targets cells kinds ;;
    *) return 1 ;;
  esac
  return 0
}

# nearest WORD <NAMES: "; did you mean A, B or C?", or nothing; the rule of nearest.c
nearest() {
  LC_ALL=C sort | WORD=$1 awk '
    function least(a, b) { return a < b ? a : b }
    function edits(a, b,    i, k, d, rows, columns) {
      rows = length(a); columns = length(b)
      for (i = 0; i <= rows; i++) d[i, 0] = i
      for (k = 0; k <= columns; k++) d[0, k] = k
      for (i = 1; i <= rows; i++)
        for (k = 1; k <= columns; k++) {
          d[i, k] = least(d[i-1, k-1] + (substr(a, i, 1) != substr(b, k, 1)), least(d[i-1, k], d[i, k-1]) + 1)
          if (i > 1 && k > 1 && substr(a, i, 1) == substr(b, k-1, 1) && substr(a, i-1, 1) == substr(b, k, 1))
            d[i, k] = least(d[i, k], d[i-2, k-2] + 1)
        }
      return d[rows, columns]
    }
    BEGIN { word = substr(ENVIRON["WORD"], 1, 63); letters = length(word); most = int((letters + 1) / 3); if (most < 1) most = 1 }
    {
      n = edits(word, $0)
      if (n > 1 && letters > 1 && substr($0, 1, letters) == word) n = 1
      if (n > most || n >= letters) next
      if (n < most) count = 0
      most = n
      if (count < 3) near[count++] = $0
    }
    END {
      for (i = 0; i < count; i++) printf "%s%s", i == 0 ? "; did you mean " : i + 1 < count ? ", " : " or ", near[i]
      if (count) printf "?"
    }'
}

# wrong WHAT WORD KIND...: one line, exit status 2. Control characters never reach the terminal.
wrong() {
  local what=$1 word=$2 kind near
  shift 2
  near=$(for kind in "$@"; do names "$kind"; done | nearest "$word")
  if [ -z "$near" ]; then
    near="; there are $(for kind in "$@"; do names "$kind"; done | xargs | sed 's/ /, /g')"
    [ ${#near} -lt 200 ] || near="; \`./lockstack list\` and \`./lockstack reproduce\` show what there is"
  fi
  say "no $what '$(printf '%s' "$word" | tr -c '[:print:]' '?')'$near"
  exit 2
}

# known WHAT WORD KIND...: the word is a name of one of the kinds, or the launcher ends. No list in
# the tree: the command says.
known() {
  local what=$1 word=$2 kind all
  shift 2
  all=$(for kind in "$@"; do names "$kind"; done 2>/dev/null)
  [ -z "$all" ] || grep -qxF -e "$word" <<<"$all" || wrong "$what" "$word" "$@"
}

# known_or_path WHAT WORD KIND: a word with a slash, or one that there is, is a path.
known_or_path() {
  if [ -e "$2" ] || [ -L "$2" ]; then return; fi
  case $2 in
    */*) there "$2" ;;
    *) known "$@" ;;
  esac
}

# there PATH: one line and exit status 2 where it is not.
there() {
  [ -e "$1" ] && return
  say "$(printf '%s' "$1" | tr -c '[:print:]' '?'): No such file or directory"
  exit 2
}

# options VERB: its entries of argp's tables, --NAME KEY ARGUMENT FLAGS; 0 or NULL is no argument
options() {
  local cli=$root/harness/cli files folder
  folder=$(sed -n "s/^lockstack_verb($1 \([a-z.]*\).*/\1/p" "$cli/CMakeLists.txt" 2>/dev/null)
  files=("$cli/$folder/verb_$1.c" "$cli/cli.c")
  [ "$1" != network ] || files+=("$cli/network/network_options.c")
  [[ $1 != exec && $1 != serve ]] || files+=("$cli/run/system_wishes.def")
  [ "$1" != sweep ] || files+=("$cli/evidence/sweep_arguments.c")
  sed -nE "s/^ *\{\"([a-z-]+)\", *([^\",]+), *(\"[^\"]*\"|NULL|0), *([^,]*),.*/--\1 \2 \3 \4/p" "${files[@]}" \
    2>/dev/null
}

# valued VERB: its options that take a value, as they are typed: --seed -s
valued() {
  options "$1" | sed -nE "s/^(--[^ ]+) ([^ ]+) \".*/\1 \2/p" | sed -E "s/ '(.)'$/ -\1/; s/ [A-Z0-9_]+$//"
}

# known_option VERB OPTION [OTHER VERB]: there is one of that name or beginning, as getopt takes
# it, or the launcher ends.
known_option() {
  local all name
  all=$(options "$1"; [ -z "${3-}" ] || options "$3")
  [ -n "$all" ] || return 0
  while read -r name _; do [[ $name != "$2"* ]] || return 0; done <<<"$all
--help
--usage"
  printf "lockstack %s: unrecognized option '%s'%s\n" "$1" "$(printf "%s" "$2" | tr -c "[:print:]" "?")" \
    "$(names "options:$1" | nearest "$2")" >&2
  exit 2
}

# check_option OPTION VALUE: the names that an option's value can be
check_option() {
  local name
  case $verb$1 in
    network--topology | network-t)
      case $2 in */* | *.yaml) there "$2" ;; *) [ -e "$2" ] || known topology "${2%%:*}" topologies ;; esac ;;
    network--pattern | network-p) known pattern "$2" patterns ;;
    network--policy) known policy "$2" policies ;;
    network--compare) for name in ${2//,/ }; do known policy "$name" policies; done ;;
    exec--system) case $2 in *.yaml | *.yml) there "$2" ;; *) known_or_path system "$2" systems ;; esac ;;
    *--dut) known device "$2" devices ;;
  esac
}

# check_argument NUMBER WORD: the verb's arguments, counted from 0
check_argument() {
  case $verb.$1 in
    check.0 | cover.0 | faults.0 | power.0 | mutate.* | area.*) known_or_path block "$2" blocks ;;
    prove.0) [ "$2" = all ] || known_or_path block "$2" blocks ;;
    rules.0) [ "$2" = all ] || known block "$2" blocks ;;
    run.0 | draw.0) case $2 in *.yaml | *.yml) there "$2" ;; *) known_or_path system "$2" systems ;; esac ;;
    run.1) case $2 in */* | *.yaml | *.yml) there "$2" ;; *) known workload "$2" workloads ;; esac ;;
    reproduce.0) names figures | grep -qF -e "$2-" || known 'system or figure' "$2" systems figures ;;
    bench.*) known benchmark "$2" benchmarks ;;
    test.0) known suite "$2" suites ;;
    regress.0) case $2 in *.yaml) there "$2" ;; *) known_or_path suite "$2" regressions ;; esac ;;
    list.0) case $2 in blocks | systems | workloads | suites | cells) ;; *) wrong list "$2" kinds ;; esac ;;
    fuzz.0) known target "$2" targets ;;
    replay.0 | offload.*) there "$2" ;;
  esac
}

# check_names VERB WORD...: ends the launcher where a name is none.
check_names() {
  local verb=$1 takes count=0 word sweep=
  shift
  known verb "$verb" verbs
  if [ "$verb" = sweep ] && [[ ${1--} != -* ]]; then
    known sweep "$1" swept
    verb=$1 sweep=sweep
    shift
    # arguments are in other places then
    [[ " $* " != *' --over'[\ =]'system='* && " $* " != *' --over'[\ =]'workload='* ]] || count=9
  fi
  takes=" $({ valued "$verb"; [ -z "$sweep" ] || valued sweep; } | xargs) "
  while [ $# -gt 0 ]; do
    word=$1
    shift
    [[ $word != --?* ]] || known_option "$verb" "${word%%=*}" "$sweep"
    case $word in
      --) break ;;
      --*=*) check_option "${word%%=*}" "${word#*=}" ;;
      -?*)
        if [[ $takes == *" $word "* ]] && [ $# -gt 0 ]; then
          check_option "$word" "$1"
          shift
        elif [[ $word == --* && $takes == *" $word"* ]] && [ $# -gt 0 ]; then
          # the beginning of an option's name, as getopt takes it: left to the command
          shift
        fi ;;
      *)
        check_argument "$count" "$word"
        count=$((count + 1)) ;;
    esac
  done
  for word in "$@"; do
    check_argument "$count" "$word"
    count=$((count + 1))
  done
}
