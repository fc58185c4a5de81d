#!/bin/sh
# SPDX-License-Identifier: MIT
# folders.sh SRC-FOLDER: who knows one backend's folder knows all; and none lies there unlisted.
set -u

cd "$1" || exit 1
failed=0
count=0

complain() {
    echo "$@"
    failed=1
}

# A backend's folder has its name, or that of set(folder_of_NAME).
listed=' '
for name in $(sed -n '/^set(backends/,/^)/p' CMakeLists.txt | grep -E '^ +[a-z0-9_]+$'); do
    folder=$(sed -n "s/^set(folder_of_$name \(.*\))$/\1/p" CMakeLists.txt)
    listed="$listed${folder:-$name} "
done
for folder in backends/*/; do
    folder=${folder%/}
    name=${folder##*/}
    for file in backend.c device.c memory.c program.c job.c internal.h; do
        [ -f "$folder/$file" ] || complain "$folder has no $file"
    done
    case $name:$listed in
    template:*" template "*) complain "the template is in the list in src/CMakeLists.txt" ;;
    template:* | "$name:"*" $name "*) ;;
    *) complain "$name is not in the list in src/CMakeLists.txt" ;;
    esac
    count=$((count + 1))
done
for name in $listed; do
    [ -d "backends/$name" ] || complain "$name is in src/CMakeLists.txt and has no folder"
done
[ -d backends/template ] || complain "there is no backends/template"
echo "$count folders; listed:$listed"
exit "$failed"
