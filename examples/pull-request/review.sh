#!/usr/bin/env bash
# Says what a change to rule sets comes to, as one comment in Markdown: faults and failing cases, which homes are answered
# otherwise (each with a home that shows it), what the analysis finds, and how many policies of a book move.
#
#   review.sh BASE [BOOK]     BASE: the commit the change is compared with; BOOK: policies, CSV or NDJSON
#
# Ends with 1 where a rule set has faults or a case fails.
set -uo pipefail
base=$1
book=${2:-}
leeward=${LEEWARD:-npx leeward}
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT

mapfile -d '' -t changed < <(git diff -z --name-only --no-renames --diff-filter=M "$base" -- '*rule-set*.json')
mapfile -d '' -t added < <(git diff -z --name-only --no-renames --diff-filter=A "$base" -- '*rule-set*.json')
mapfile -d '' -t cases < <(git diff -z --name-only --no-renames --diff-filter=AM "$base" -- '*cases.json')
# A change of the cases alone is a change to be checked too.
touched=("${changed[@]}" "${added[@]}")
for file in "${cases[@]}"; do
  for beside in "$(dirname "$file")"/rule-set*.json; do [ -e "$beside" ] && touched+=("$beside"); done
done
if [ ${#touched[@]} -eq 0 ]; then
  echo 'No rule set was changed.'
  exit 0
fi

$leeward rules check "${touched[@]}" --format markdown
checked=$?
for file in "${changed[@]}"; do
  mkdir -p "$before/$(dirname "$file")"
  git show "$base:$file" > "$before/$file"
  printf '\n#### `%s`\n\n' "$file"
  $leeward rules diff "$before/$file" "$file" ${book:+--book "$book"} --format markdown
done
printf '\n'
$leeward rules analyse "${touched[@]}" --format markdown
exit $checked
