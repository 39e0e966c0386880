# SPDX-License-Identifier: GPL-2.0-only
# The part of the script that does not depend on the tables; complete_zsh.c puts functions with the
# tables before it. NAME is the name of the program.

# Commands as operands: those behind the operands so far.
_NAME_command_words()
{
	local -a before=(${words[2,CURRENT-1]:#-*})

	_NAME_commands "$before"
}

# _NAME_run PREFIX: completes what stands behind the command in words[1].
_NAME_run()
{
	local function=_NAME__${1:+${1}_}${words[1]//-/_}

	(( $+functions[$function] )) && $function
}

_NAME "$@"
