# SPDX-License-Identifier: Apache-2.0
#
# Completion for bash, of the installed command and of ./lockstack in the tree. Of the words up to the cursor: the verb, how many
# arguments came before, the block among them.

_lockstack_names() { "${COMP_WORDS[0]/#\~/$HOME}" --names "$1" 2>/dev/null; }

# What option $1 takes; fails where there is none of this name.
_lockstack_value() {
  local option
  for option in "${options[@]}"; do
    [ "${option%%:*}" = "$1" ] || continue
    printf '%s' "${option#*:}"
    return 0
  done
  return 1
}

# All that the kinds of $1 can be, those that begin as the word does.
_lockstack_offer() {
  local kind
  for kind in $1; do
    case $kind in
      text | ...) ;;
      =*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "${kind#=}" -- "$cur") ;;
      files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur") && compopt -o filenames 2>/dev/null ;;
      parameters)
        [ "$verb" = network ] && block=router
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -S = -W "$(_lockstack_names "parameters:$block")" -- "$cur")
        compopt -o nospace 2>/dev/null ;;
      *) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$(_lockstack_names "$kind")" -- "$cur") ;;
    esac
  done
}

# Reads the words before the cursor. An = is a word of its own here, after an option and in its value.
_lockstack_read() {
  local i word
  local -a own
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [ "$word" = = ]; then
      [ -z "$given" ] || before=$given
      given=
    elif [ -n "$before" ]; then
      before=
    elif [[ $word == -* ]]; then
      given=
      if [ "$(_lockstack_value "$word")" ]; then before=$word given=$word; fi
    elif [ -z "$verb" ]; then
      verb=$word
      _lockstack_table "$verb"
    elif [ "$verb" = sweep ]; then                    # from here on as the verb that is swept, with the sweep's options, too
      own=("${options[@]}")
      verb=$word
      _lockstack_table "$verb"
      options=("${own[@]}" "${options[@]}")
    else
      [ $count -gt 0 ] || block=$word
      count=$((count + 1))
    fi
  done
}

_lockstack() {
  local cur=${COMP_WORDS[COMP_CWORD]} verb= block= before= given= count=0 last
  local -a options arguments
  COMPREPLY=()
  _lockstack_read
  [ "$cur" != = ] || cur=
  if [ -n "$before" ]; then
    _lockstack_offer "$(_lockstack_value "$before")"
  elif [ -z "$verb" ]; then
    _lockstack_offer verbs
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '--help --version' -- "$cur")
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${options[*]%%:*}" -- "$cur")
  elif [ ${#arguments[@]} -gt 0 ]; then
    last=$((${#arguments[@]} - 1))
    if [ "${arguments[last]}" = ... ] && [ $count -gt $((last - 1)) ]; then count=$((last - 1)); fi
    _lockstack_offer "${arguments[count]-}"
  fi
}
complete -F _lockstack lockstack ./lockstack
