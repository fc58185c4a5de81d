# SPDX-License-Identifier: MIT
# Without -d every backend but sim is there, or is said not to be with its reason. Without a stub both stand there.
kerntime devices --json file >table
check_json file
json_value file '[(b["name"], b["devices"] > 0 or b["missing"] != None) for b in j["backends"]]' \
    '[d["id"] for d in j["devices"]][0]'
sed -n 1,8p table
rm file table
