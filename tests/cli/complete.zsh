# SPDX-License-Identifier: GPL-2.0-only
# complete.zsh SCRIPT: reads command lines, the cursor at the end of each; prints what zsh offers
# for it, one a line, and a dot. Completion exists only in an interactive zsh on a terminal: one is
# started on a pseudo terminal, where a single key runs all the lines and writes to a file.
zmodload zsh/zpty
zmodload zsh/zselect
here=$(mktemp -d) || exit 1
trap 'zpty -d child 2>/dev/null; rm -rf $here' EXIT
name=$(sed -n '1s/#compdef //p' $1)
cp $1 $here/_$name
cat >$here/lines
cat >$here/child <<'END'
fpath=($HERE $fpath)
autoload -Uz compinit
compinit -D -u
compadd() {
	local -a hits
	# Calls that only filter for the caller offer nothing.
	if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
		builtin compadd -A hits "$@"
		(( $#hits )) && print -rl -- $hits >>$HERE/out
	fi
	builtin compadd "$@"
}
offer() { _main_complete; compstate[insert]=; compstate[list]= }
zle -C offer complete-word offer
all() {
	local line
	while IFS= read -r line; do
		BUFFER=$line CURSOR=$#line
		zle offer
		print . >>$HERE/out
	done <$HERE/lines
	BUFFER=
	touch $HERE/done
}
zle -N all
bindkey '^T' all
touch $HERE/ready
END
wait_for() {
	local i chunk
	for (( i = 0; i < 3000; i++ )); do
		[[ -e $1 ]] && return
		zpty -rt child chunk
		zselect -t 2
	done
	print -u2 "zsh did not answer"
	exit 1
}
export HERE=$here
zpty -b child zsh -f -i
zpty -w child "source $here/child"
wait_for $here/ready
zpty -w -n child $'\x14'
wait_for $here/done
cat $here/out
