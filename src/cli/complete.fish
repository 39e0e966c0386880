# SPDX-License-Identifier: GPL-2.0-only
# The part of the script that does not depend on the tables; complete_fish.c puts functions with the
# tables before it and the completions behind it. NAME is the name of the program.

# Prints the command before the cursor, then its operands, one a line.
function __NAME_read
    set -l command ''
    set -l operands
    set -l skip 0
    set -l ended 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test $ended = 0; and test "$word" = --
            set ended 1
        else if test $ended = 0; and string match -q -- '--*' "$word"
            if not string match -q -- '*=*' "$word"; and __NAME_takes_value "$command $word"
                set skip 1
            end
        else if test $ended = 0; and string match -q -- '-?*' "$word"
            set -l letters (string split '' -- (string sub -s 2 -- "$word"))
            for i in (seq (count $letters))
                if __NAME_takes_value "$command -$letters[$i]"
                    test $i = (count $letters); and set skip 1
                    break
                end
            end
        else if contains -- "$command" (__NAME_groups)
            set command (string trim -- "$command $word")
        else
            set -a operands "$word"
        end
    end
    printf '%s\n' "$command" $operands
end

# __NAME_at COMMAND: the options of this command may stand here.
# __NAME_at COMMAND N: so may its operand N, counted from 0; N+ is that one and all behind it.
function __NAME_at
    set -l read (__NAME_read)
    test "$read[1]" = "$argv[1]"; or return
    set -q argv[2]; or return 0
    set -l n (math (count $read) - 1)
    if string match -q -- '*+' $argv[2]
        test $n -ge (string trim -r -c + -- $argv[2])
    else
        test $n = $argv[2]
    end
end

# __NAME_behind COMMAND WORDS: the operands of COMMAND so far are WORDS.
function __NAME_behind
    set -l read (__NAME_read)
    test "$read[1]" = "$argv[1]"; and test "$read[2..-1]" = "$argv[2]"
end

complete -c NAME -f
