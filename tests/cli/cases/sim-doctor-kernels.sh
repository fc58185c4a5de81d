# SPDX-License-Identifier: MIT
# What is found by running kernels: a healthy device, one whose third or 300th result is wrong (the third one while the clock is
# watched), one whose ticks are longer or shorter than told, and one whose counter begins anew within long kernels.
for scenario in sim:0 sim:0:wrong=3 sim:0:wrong=300 sim:0:drift_ppm=-100000 sim:0:drift_ppm=100000 sim:0:reset=3; do
    echo "$scenario"
    kerntime doctor -d "$scenario" -q --json file >/dev/null
    json_value file '"\n".join((f["severity"] + " " + f["seen"])[:96] for f in j["diagnostics"]
                     if f["check"] in ("results", "loops", "first_use", "agreement", "steady"))' |
        sed "s,agree at .*,agree at ...,; s,after [0-9.]* ms of,after ... of,; s,groups and .* takes,groups takes,; s,[0-9][0-9]* submissions,... submissions,; s,submission [0-9]* of [0-9]*,submission ... of ...,"
done
rm file
