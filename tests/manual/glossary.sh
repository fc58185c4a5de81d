# docs/glossary.md is what the command's table of words says. To write it anew:
#     build/dev/cli/kerntime-manual glossary docs/glossary.md
scratch=$(mktemp) || exit 1
trap 'rm -f "$scratch"' EXIT
"$2" glossary "$scratch" && diff "$(dirname "$0")/../../docs/glossary.md" "$scratch"
