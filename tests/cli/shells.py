# SPDX-License-Identifier: GPL-2.0-only
"""What real shells offer when they complete."""
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHELLS = {
    'bash': ['bash', '--norc', '--noprofile', HERE / 'complete.bash'],
    'zsh': ['zsh', '-f', HERE / 'complete.zsh'],
    'fish': ['fish', '--no-config', HERE / 'complete.fish'],
}


def complete(shell, script, lines, cwd='/', **more_env):
    """For each line, with the cursor at its end: the sorted words offered. Blanks at the end of a
    word count for nothing: some shells offer them to move on to the next word."""
    with tempfile.TemporaryDirectory(prefix='ktstr-complete.') as home:
        file = pathlib.Path(home, 'script')
        file.write_text(script)
        env = {'PATH': os.environ['PATH'], 'HOME': home, 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb',
               **more_env}
        done = subprocess.run([*SHELLS[shell], file], input=''.join(x + '\n' for x in lines),
                              capture_output=True, text=True, cwd=cwd, env=env, timeout=120,
                              check=False)
    answers, words = [], set()
    for word in done.stdout.splitlines():
        if word == '.':
            answers.append(sorted(words))
            words = set()
        else:
            words.add(word.strip())
    if done.returncode or done.stderr or len(answers) != len(lines):
        raise RuntimeError(f'{shell} answered {len(answers)} of {len(lines)} lines with status '
                           f'{done.returncode}: {done.stderr}')
    return answers
