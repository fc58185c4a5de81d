#!/bin/sh
# SPDX-License-Identifier: MIT
# zsh.sh KERNTIME MANUAL: zsh completes what a user would type, typed into a zsh on a pseudo-terminal.
set -u

kerntime=$1 manual=$2
command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty && autoload +X compinit' 2>/dev/null || {
    echo "skipped: there is no zsh with its modules and functions"
    exit 77
}
zsh -fc 'zmodload zsh/zpty && zpty child true' 2>/dev/null || {
    echo "skipped: zsh gets no pseudo-terminal here"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/files" "$work/functions" && : >"$work/files/result.json" && : >"$work/files/kernel.cl" || exit 1
mkdir "$work/programs" && printf '#!/bin/sh\n' >"$work/programs/traced-one" && chmod +x "$work/programs/traced-one" || exit 1
PATH=$work/programs:$PATH
"$manual" zsh "$work/functions/_kerntime" || exit 1
zsh -n "$work/functions/_kerntime" || exit 1

# Lines as typed, each with what a press of the tab key must make of it.
cat >"$work/lines" <<'LINES'
kerntime b|kerntime bench 
kerntime help dev|kerntime help devices 
kerntime help do|kerntime help doctor 
kerntime bench mat|kerntime bench matmul 
kerntime bench empty mat|kerntime bench empty matmul 
kerntime bench --timing=w|kerntime bench --timing=wall 
kerntime bench --timing w|kerntime bench --timing wall 
kerntime bench -d o|kerntime bench -d opencl 
kerntime bench -d opencl -d cp|kerntime bench -d opencl -d cpu 
kerntime devices --device=s|kerntime devices --device=sim 
kerntime bench matmul --variant t|kerntime bench matmul --variant tiled 
kerntime copy --kind d|kerntime copy --kind device 
kerntime copy --direction=heap-d|kerntime copy --direction=heap-device 
kerntime bench --json r|kerntime bench --json result.json 
kerntime bench --json=r|kerntime bench --json=result.json 
kerntime bench --size r|kerntime bench --size r
kerntime bench res|kerntime bench res
kerntime compare result.json r|kerntime compare result.json result.json 
kerntime fleet result.json r|kerntime fleet result.json result.json 
kerntime fleet --by s|kerntime fleet --by slot 
kerntime compare --baseline=r|kerntime compare --baseline=result.json 
kerntime compare --baseline a --baseline r|kerntime compare --baseline a --baseline result.json 
kerntime run k|kerntime run kernel.cl 
kerntime bench --no-such|kerntime bench --no-such
kerntime trace traced-o|kerntime trace traced-one 
kerntime trace --top 3 -q traced-o|kerntime trace --top 3 -q traced-one 
kerntime trace -- traced-o|kerntime trace -- traced-one 
kerntime trace traced-one --jso|kerntime trace traced-one --jso
kerntime trace traced-one ker|kerntime trace traced-one kernel.cl 
LINES
# Each option that the help names is known: after it comes its value, or the next word. Where more options begin like it, it
# stays as it is.
for command in bench copy compare devices doctor fleet run trace; do
    "$kerntime" $command --help |
        sed -n "s/^  \(-[A-Za-z],\|   \) \(--[a-z0-9-]*\) \([A-Z]\{0,1\}\).*/\2|\3/p" >"$work/told"
    while IFS='|' read -r option argument; do
        if [ -n "$argument" ]; then sign='='; else sign=' '; fi
        [ "$(grep -c -e "^$option" "$work/told")" = 1 ] || sign=
        echo "kerntime $command $option|kerntime $command $option$sign"
    done <"$work/told"
done >"$work/options"
[ "$(grep -c . "$work/options")" -ge 18 ] || {
    echo "only $(grep -c . "$work/options") options in the help: is it read?"
    exit 1
}
cat "$work/options" >>"$work/lines"

cat >"$work/test.zsh" <<'ZSH'
work=$1
zmodload zsh/zpty
zpty -b child zsh -f -i
zpty -w child "cd $work/files; HISTFILE= TERM=dumb PS1= fpath=($work/functions \$fpath)"
zpty -w child 'autoload -Uz compinit; compinit -D -u'
zpty -w child 'zstyle ":completion:*" list-prompt ""; setopt no_auto_list no_beep no_auto_menu'
zpty -w child "keep() { print -r -- \"\$BUFFER\" >>$work/found; BUFFER=; }"
zpty -w child 'zle -N keep; bindkey "^I" complete-word; bindkey "^O" keep; bindkey "^U" kill-whole-line'
zpty -w child ": >$work/ready"
wait_for() { # SECONDS TEST: also reads what the child writes, lest it waits for us
    local -F end=$((SECONDS + $1))
    until eval $2; do
        ((SECONDS < end)) || { print "waited in vain for: $2"; return 1; }
        zpty -rt child ignored || sleep 0.01
    done
}
typeset -F SECONDS
wait_for 20 "[[ -e $work/ready ]]" || exit 1
integer count=0
while IFS='|' read -r typed expected; do
    zpty -wn child "$typed"$'\t\x0f'
    count+=1
    wait_for 10 "[[ -e $work/found && \$(wc -l <$work/found) -ge $count ]]" || exit 1
done <$work/lines
zpty -d child
ZSH
zsh -f "$work/test.zsh" "$work" </dev/null || exit 1
cut -d '|' -f 2 "$work/lines" >"$work/expected"
diff "$work/expected" "$work/found" || {
    echo "(< should be, > is)"
    exit 1
}
echo "$(grep -c . "$work/lines") lines completed"
