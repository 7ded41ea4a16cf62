#compdef lockstack
# SPDX-License-Identifier: Apache-2.0

# All that the kinds of $1 can be.
_lockstack_offer() {
  local kind
  local -a names
  for kind in ${=1}; do
    case $kind in
      text | ...) ;;
      =*) compadd -- ${kind#=} ;;
      files) _files ;;
      parameters)
        [[ $verb == network ]] && block=router
        names=(${(f)"$($command --names parameters:$block 2>/dev/null)"})
        compadd -S = -- $names ;;
      *)
        names=(${(f)"$($command --names $kind 2>/dev/null)"})
        compadd -- $names ;;
    esac
  done
}

# What option $1 takes.
_lockstack_value() {
  local option
  for option in $options; do
    if [[ ${option%%:*} == $1 ]]; then print -r -- ${option#*:}; return; fi
  done
}

_lockstack() {
  local command=${~words[1]} verb= block= before= word i
  local -i count=0
  local -a options arguments own
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $before ]]; then before=
    elif [[ $word == -*=* ]]; then :
    elif [[ $word == -* ]]; then [[ -z $(_lockstack_value $word) ]] || before=$word
    elif [[ -z $verb ]]; then verb=$word; _lockstack_table $verb
    elif [[ $verb == sweep ]]; then own=($options); verb=$word; _lockstack_table $verb; options=($own $options)
    else
      (( count )) || block=$word
      count+=1
    fi
  done
  if [[ -n $before ]]; then _lockstack_offer "$(_lockstack_value $before)"
  elif [[ -z $verb ]]; then
    _lockstack_offer verbs
    compadd -- --help --version
  elif [[ $words[CURRENT] == --*=* ]]; then
    before=${words[CURRENT]%%=*}
    compset -P '*='
    _lockstack_offer "$(_lockstack_value $before)"
  elif [[ $words[CURRENT] == -* ]]; then compadd -- ${options%%:*}
  elif (( $#arguments )); then
    [[ $arguments[-1] == ... ]] && (( count > $#arguments - 2 )) && count=$(( $#arguments - 2 ))
    _lockstack_offer "$arguments[count + 1]"
  fi
}

_lockstack "$@"
