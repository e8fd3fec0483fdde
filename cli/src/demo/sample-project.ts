/** The project that the demo commits: shell only, so that it runs wherever a runner does. */
export const SAMPLE_FILES: Readonly<Record<string, { readonly text: string; readonly executable?: boolean }>> = {
  'README.md': { text: '# Bakery\n\nThe sample project of the Signalbox demo: a price list and what checks it.\n' },
  'prices.csv': { text: 'name,cents\nbread,420\nroll,60\npretzel,150\ncake,2900\n' },
  'scripts/check-prices.sh': {
    executable: true,
    text: `#!/bin/sh
# Every line is a name and a whole number of cents.
set -eu
items=0
while IFS=, read -r name cents; do
  [ "$name" = name ] && continue
  case "$cents" in *[!0-9]* | '') echo "$name has no price" >&2; exit 1 ;; esac
  printf '%-10s %6s cents\\n' "$name" "$cents"
  items=$((items + 1))
done < prices.csv
echo "items=$items" >> "$SIGNALBOX_OUTPUT"
`,
  },
  'scripts/check-style.sh': {
    executable: true,
    text: `#!/bin/sh
# No tabs, no spaces at the end of a line.
set -eu
for file in prices.csv README.md; do
  echo "looking at $file"
  if grep -nE '[[:space:]]$' "$file"; then echo "$file has spaces at the end of a line" >&2; exit 1; fi
done
`,
  },
  'scripts/publish.sh': {
    executable: true,
    text: `#!/bin/sh
set -eu
echo "publishing $ITEMS prices of commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "signing in with the token $SHOP_TOKEN"
echo "published"
`,
  },
}

/** Three steps: two checks in parallel, a list made of their result, and a release that only happens on main. */
export function samplePipeline(team: string): string {
  return `name: build
variables: { CURRENCY: euro }
secrets: { SHOP_TOKEN: ${team}/shop-token }
timeout: 5m
steps:
  - name: check
    tasks:
      - name: prices
        run: ./scripts/check-prices.sh
        idempotent: true
        outputs: { items: {} }
        timeout: 1m
      - name: style
        run: ./scripts/check-style.sh
        idempotent: true
  - name: assemble
    depends_on: [check]
    tasks:
      - name: list
        run: |
          echo "$ITEMS prices in $CURRENCY"
          sort -t, -k2 -n prices.csv
        idempotent: true
        env: { ITEMS: $steps.check.prices.outputs.items }
  - name: publish
    depends_on: [assemble]
    if: run.branch == "main"
    tasks:
      - name: release
        run: ./scripts/publish.sh
        idempotent: true
        env: { ITEMS: $steps.check.prices.outputs.items }
  - name: rehearse
    depends_on: [assemble]
    if: run.branch != "main"
    tasks:
      - name: release
        run: echo "would publish"
        idempotent: true
`
}
