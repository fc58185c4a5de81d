# SPDX-License-Identifier: MIT
# Found before work starts: nothing on standard output, and the sentence comes before the plan.
mkdir folder
echo kept >file
for path in missing/result.json folder file/result.json ''; do
    try kerntime bench matmul -s 32 -d sim:0 --json "$path"
    try kerntime devices -d sim:0 --json "$path"
done
cat file
rm -r folder file
