# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# The part of the script that does not depend on the tables; complete_bash.c puts the functions with
# the tables before it. NAME is the name of the program.

# Reads the words before the cursor: command, operands, the option that wants a value.
_NAME_read()
{
	local word i ended='' words kind list

	for word; do
		if [[ $option ]]; then
			option=''
		elif [[ ! $ended && $word == -- ]]; then
			ended=1
		elif [[ ! $ended && $word == --* ]]; then
			[[ $word != *=* ]] && _NAME_value "$command" "$word" && option=$word
		elif [[ ! $ended && $word == -?* ]]; then
			for ((i = 1; i < ${#word}; i++)); do
				_NAME_value "$command" "-${word:i:1}" || continue
				((i < ${#word} - 1)) || option=-${word:i:1}
				break
			done
		elif _NAME_commands "$command"; then
			command+=${command:+ }$word
		else
			operands+=("$word")
		fi
	done
	[[ ! $ended ]]
}

_NAME()
{
	local command='' option='' words='' kind='' list='' lead='' cur word i ended=1
	local -a operands=() line=()

	# Bash may split --option=value at the equals sign: join it again.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((${#line[@]})) && [[ ${line[-1]} == --*= || ( ${line[-1]} == --* && $word == = ) ]]; then
			line[-1]+=$word
		else
			line+=("$word")
		fi
	done
	cur=${line[-1]}
	unset 'line[-1]'
	_NAME_read "${line[@]}" && ended=''

	if [[ $option ]]; then
		_NAME_value "$command" "$option"
	elif [[ ! $ended && $cur == --*=* ]]; then
		_NAME_value "$command" "${cur%%=*}"
		[[ $COMP_WORDBREAKS == *=* ]] || lead=${cur%%=*}=
		cur=${cur#*=}
	elif [[ ! $ended && $cur == -* ]]; then
		_NAME_options "$command"
	else
		_NAME_commands "$command" || _NAME_operand "$command" ${#operands[@]}
	fi
	if [[ $list && $cur == *,* ]]; then
		lead+=${cur%,*},
		cur=${cur##*,}
	fi
	[[ $kind == command ]] && _NAME_commands "${operands[*]}"

	COMPREPLY=()
	if [[ $kind == file || $kind == directory ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -A "$kind" -P "$lead" -- "$cur")
	elif [[ $words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -P "$lead" -- "$cur")
	fi
}

complete -F _NAME NAME
