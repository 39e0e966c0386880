# SPDX-License-Identifier: GPL-2.0-only
# complete.bash SCRIPT: reads command lines, the cursor at the end of each; prints what bash offers
# for it, one a line, and a dot. Words are split at spaces and equals signs, as readline does; with
# SPLIT=' ' at spaces only, as it does for users who changed COMP_WORDBREAKS.
# shellcheck source=/dev/null
source "$1"
[[ $SPLIT ]] && COMP_WORDBREAKS=$SPLIT
while IFS= read -r line; do
	[[ $line == *' ' ]] && last=1 || last=''
	[[ $SPLIT ]] || line=${line//=/ = }
	read -r -a COMP_WORDS <<<"$line"
	[[ $last ]] && COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	function=$(complete -p "${COMP_WORDS[0]}")
	function=${function#complete -F }
	"${function% *}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
	echo .
done
