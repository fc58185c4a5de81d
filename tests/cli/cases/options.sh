# SPDX-License-Identifier: MIT
# An option is in the help if and only if it is accepted. The words are all that the project will ever have (and
# all letters), so that an option which is parsed but not told, or told but not parsed, is found.
argument_of()
{
    case $1 in
    by) echo node ;;
    device | d) echo sim:0 ;;
    local-device) echo sim ;;
    rank-var) echo RANK ;;
    start-together) echo . ;;
    size | s) echo 32 ;;
    variant) echo tiled ;;
    samples) echo 2..2 ;;
    max-time | timeout | start-limit) echo 1s ;;
    rel-err) echo 1% ;;
    timing) echo both ;;
    color) echo never ;;
    order) echo interleaved ;;
    json | csv | markdown | trace | gbench | bmf | action) echo /dev/null ;;
    plot) echo figure.svg ;;
    plot-what) echo time ;;
    plot-width) echo 85mm ;;
    kind) echo device ;;
    direction) echo heap-device ;;
    baseline | contender) echo more ;;
    alpha | min-effect | run-noise) echo 1% ;;
    *) echo 1 ;;
    esac
}

# tell COMMAND WORDS...: each word that is an option, with an argument where the help shows one.
accepted()
{
    command=$1 operands=$2
    shift 2
    kerntime $command --help >help
    for name; do
        dashes=--
        [ ${#name} -gt 1 ] || dashes=-
        line=$(grep -E "^ +(-[a-z], )?$dashes$name[ ,]" help)
        case $line in
        '') told=no argument= ;;
        *"$dashes$name "[A-Z]* | *"-$name, "*" "[A-Z][A-Z]*) told=yes argument=$(argument_of "$name") ;;
        *) told=yes argument= ;;
        esac
        device="-d sim:0"
        [ "$name" = cold ] && device="-d cpu:0" # has caches
        case $command in compare | convert | fleet) device= ;; esac # is none of their business
        [ "$name" = local-device ] && device= # instead
        [ "${name#plot-}" = "$name" ] || device="$device --plot figure.svg"
        [ "$name" = gbench-repetitions ] && device="$device --gbench /dev/null"
        kerntime $command $operands $device $dashes"$name" $argument >/dev/null 2>said
        code=$?
        [ "$command$code" != fleet5 ] || code=0
        parsed=yes
        grep -q "there is no option" said && parsed=no
        [ $told = $parsed ] || echo "$command: $name: in the help: $told, accepted: $parsed"
        [ $parsed = no ] || [ $code = 0 ] || echo "$command: $name $argument: exit $code, $(cat said)"
        [ $parsed = no ] || printf '%s ' "$dashes$name"
    done
    echo
}

# One that draws nothing but answers.
printf '#!/bin/sh\necho 5 svg; echo svg\n' >gnuplot
chmod +x gnuplot
PATH=.:$PATH

export RANK=0 WORLD_SIZE=1 LOCAL_RANK=0
names="device local-device start-together start-limit size list direction variant trials samples order baseline-samples runs max-time rel-err timeout timing cold raw kind json csv
markdown gbench gbench-repetitions bmf action trace rank-var plot plot-what plot-width plot-plain plot-data no-identity quiet verbose wide color version help"
letters="a b c d e f g h i j k l m n o p q r s t u v w x y z"
accepted bench "matmul --size 8 --samples 2..2" $names $letters
accepted copy "--size 8 --samples 2..2" $names $letters
accepted devices "" $names $letters
accepted doctor "" $names $letters
kerntime bench empty --size 8 --runs 2 --samples 2..2 -d sim:0 -q --json base >/dev/null
cp base new
cp base more
accepted compare "--baseline base --contender new" $names baseline contender min-effect alpha run-noise $letters
accepted convert base $names $letters
# One device has no median to be slower than: undecided.
accepted fleet "base new more" $names min-effect alpha by slurm again $letters
rm help said gnuplot figure.* base new more
