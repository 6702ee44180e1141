# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of fpgauge in bash; installed as share/bash-completion/completions/fpgauge. To try it, source this file.
# It knows no command and no option: it asks the program that stands on the line (`fpgauge help options`,
# `fpgauge devices --names`, which opens none). It needs neither the package bash-completion nor other programs.

# Offers those of the words after $1 that begin with $1.
_fpgauge_words() {
  local start=$1 word
  shift
  for word; do
    [[ -z $word || $word != "$start"* ]] || COMPREPLY+=("$word")
  done
}

# Offers folders and files that begin with $1, the files only where they end in one of the rest. Where there is none of
# these, bash offers any file.
_fpgauge_files() {
  local start=$1 file ending
  shift
  while IFS= read -r file; do
    [[ -n $file ]] || continue
    if [[ -d $file ]]; then
      COMPREPLY+=("$file")
    else
      for ending; do
        [[ $file != *"$ending" ]] || COMPREPLY+=("$file")
      done
    fi
  done <<<"$(compgen -f -- "$start")"
  compopt -o filenames 2>/dev/null # to be quoted where needed; nobody asks when no completion is under way
  [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default 2>/dev/null
}

# Offers what begins with $3 for an argument of the kind $2, as --help calls it, of the program $1.
_fpgauge_argument() {
  local words=()
  case $2 in
    PLAN) _fpgauge_files "$3" .cfg ;;
    DB) _fpgauge_files "$3" .db ;;
    BASE | NEW | 'DIR|DB...') _fpgauge_files "$3" .db .json ;;
    FILE) _fpgauge_files "$3" "" ;;
    DIR)
      mapfile -t words <<<"$(compgen -d -- "$3")"
      _fpgauge_words "$3" "${words[@]}"
      compopt -o filenames 2>/dev/null
      ;;
    DEVICE | DEVICE_A | DEVICE_B)
      mapfile -t words <<<"$("$1" devices --names 2>/dev/null)"
      _fpgauge_words "$3" "${words[@]}"
      ;;
    *'|'*)
      IFS='|' read -r -a words <<<"$2"
      _fpgauge_words "$3" "${words[@]}"
      ;;
  esac
}

# Bash makes words of "sim", ":" and "twin", and of "--json", "=" and "x". Puts together in `words`, up to the cursor,
# what belongs together.
_fpgauge_join_words() {
  local i glue='^[:=]+$'
  words=("${COMP_WORDS[0]}")
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if ((i > 1)) && [[ ${COMP_WORDS[i]} =~ $glue || ${COMP_WORDS[i - 1]} =~ $glue ]]; then
      words[-1]+=${COMP_WORDS[i]}
    else
      words+=("${COMP_WORDS[i]}")
    fi
  done
}

# Looks at the words before the cursor, and at what the program $1 says that the command $2 takes: sets `options`, and
# `kind` to what comes at the cursor: "option", or an argument as --help calls it.
_fpgauge_expect() {
  local command what argument i arguments=() given=0 pending=
  local -A takes=()
  while read -r command what argument; do
    [[ $command == "$2" && -n $what ]] || continue
    if [[ $what == -* ]]; then
      options+=("$what")
      takes[$what]=$argument
    else
      arguments+=("$what")
    fi
  done <<<"$("$1" help options 2>/dev/null)"
  for ((i = 2; i < ${#words[@]} - 1; i++)); do
    if [[ -n $pending ]]; then
      pending=
    elif [[ ${words[i]} == -* ]]; then
      pending=${takes[${words[i]}]-}
      [[ $pending != '['* ]] || pending= # optional, and then in the same word
    else
      given=$((given + 1))
    fi
  done
  # the last argument, if it may be repeated
  [[ ${arguments[*]} != *... || $given -lt ${#arguments[@]} ]] || given=$((${#arguments[@]} - 1))
  kind=${pending:-${arguments[given]-option}}
  if [[ -z $pending && ${words[-1]} == --*=* ]]; then
    kind=${takes[${words[-1]%%=*}]-}
    kind=${kind#'[='}
    kind=${kind%']'}
  elif [[ -z $pending && ${words[-1]} == -* ]]; then
    kind=option
  fi
}

_fpgauge() {
  local words=() options=() names=() kind current cut program=${1/#\~\//$HOME/} i
  COMPREPLY=()
  _fpgauge_join_words
  current=${words[-1]}
  if [[ ${#words[@]} -eq 2 ]]; then
    while read -r i _; do
      [[ " ${names[*]} " == *" $i "* ]] || names+=("$i")
    done <<<"$("$program" help options 2>/dev/null)"
    _fpgauge_words "$current" "${names[@]}" --help --version
    return
  fi
  _fpgauge_expect "$program" "${words[1]}"
  if [[ $kind == option ]]; then
    _fpgauge_words "$current" "${options[@]}"
  elif [[ $current == --*=* ]]; then
    _fpgauge_argument "$program" "$kind" "${current#*=}"
    COMPREPLY=("${COMPREPLY[@]/#/"${current%%=*}="}")
  else
    _fpgauge_argument "$program" "$kind" "$current"
  fi
  # Bash puts the answer in the place of the last of its own words only.
  cut=${COMP_WORDS[COMP_CWORD]}
  [[ ! $cut =~ ^[:=]+$ ]] || cut=
  cut=${current%"$cut"}
  for i in "${!COMPREPLY[@]}"; do
    COMPREPLY[i]=${COMPREPLY[i]#"$cut"}
  done
}
complete -F _fpgauge fpgauge
