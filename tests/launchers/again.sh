#!/bin/sh
# SPDX-License-Identifier: MIT
# again.sh KERNTIME: what `kerntime fleet --again` prints, run as it is in a folder with a blank and a quote in its name. A stand-in
# for ssh gives its words to another shell, in another folder, as ssh does. Two slow devices are found again, and no word of a
# result file is run as a command.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export KERNTIME_BACKENDS=sim PATH="$work:$(dirname "$1"):$PATH"
cat >"$work/ssh" <<'SSH'
#!/bin/sh
shift
cd / && cat >/dev/null && exec env -i KERNTIME_BACKENDS=sim PATH="$PATH" sh -c "$*"
SSH
chmod +x "$work/ssh"
mkdir "$work/a b'c" && cd "$work/a b'c" && mkdir out || exit 1
for rank in 0 1 2 3 4 5 6 7; do
    RANK=$rank WORLD_SIZE=8 kerntime bench saxpy --size 4096 --samples 20..20 --runs 3 -q \
        -d "sim:0:kernel_ns=$((60000 + (rank == 3 || rank == 6) * 3000)),jitter_ns=80,seed=$rank" --json 'out/%r.json' >/dev/null || exit 1
done
sed -i 's/"name": "simulated"/"name": "other"/' out/[0-3].json

# Commands of two nodes, of which the first reads none of what follows it.
kerntime fleet out -q --again | while IFS= read -r line; do eval "$line"; done >table 2>err
[ ! -s err ] && [ "$(ls again | tr '\n' ' ')" = 'other.json simulated.json ' ] || { cat err; ls again; exit 1; }
kerntime fleet again -q --csv again.csv >table
[ $? = 1 ] && [ "$(grep -c ',slow,' again.csv)" = 2 ] && [ "$(grep ',slow,' again.csv | grep -c 'seed=[36]')" = 2 ] || { cat table; exit 1; }

# Another name of the workload, in the file of a slow device.
sed -i 's/"saxpy"\(, *"--size"\)/"saxpy;touch ONE", "$(touch TWO)", "`touch THREE`", "'"'"';touch FOUR;'"'"'", "~\/*"\1/' out/3.json out/6.json
kerntime fleet out -q --again >commands
grep -q 'touch FOUR' commands || { cat commands; exit 1; }
sh commands >table 2>err
grep -qF 'kerntime bench: there is no workload "saxpy;touch ONE"' err || { cat commands err; exit 1; }
for name in ONE TWO THREE FOUR; do
    [ ! -e $name ] && [ ! -e /$name ] || { echo "a word was run: $name"; cat commands; exit 1; }
done
