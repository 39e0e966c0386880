# SPDX-License-Identifier: GPL-2.0-only
# complete.fish SCRIPT: reads command lines, the cursor at the end of each; prints what fish offers
# for it, one a line, and a dot.
source $argv[1]
while read -l line
    complete -C "$line" | string replace -r '\t.*' ''
    echo .
end
