import { TEAM } from '../resources.ts'

// What lies at the fake forge: a repository, a pull request that is open already, and the commit that the demo pushes to it.

export const ACCOUNT = 'bakery'
export const REPOSITORY = `${ACCOUNT}/shop`
export const PERSON = 'ada'
export const BRANCH = 'dearer-bread'
export const PULL_TITLE = 'Bread costs 4.30'
export const SECRET = 'shop-session'

const CHECK_PRICES = `# Every line is a name and a whole number of cents.
set -eu
line=0
while IFS=, read -r name cents; do
  line=$((line + 1))
  [ "$name" = name ] && continue
  printf '%-10s %6s cents\\n' "$name" "$cents"
  if [ "$cents" -lt 100 ]; then
    echo "::warning file=prices.csv,line=$line,title=A low price::The flour of a $name alone costs 70 cents."
  fi
done < prices.csv
`

const ASK_SHOP = `# The shop takes prices from whoever has a session with it.
set -eu
case "$SHOP_SESSION" in
  open-*) echo "the shop takes the prices" ;;
  *)
    echo "::error file=scripts/ask-shop.sh,line=3,title=The session is over::The prices are in order; the shop wants a new session."
    exit 1
    ;;
esac
`

export const FIRST_FILES: Readonly<Record<string, string>> = {
  'prices.csv': pricesOf({ bread: 420, pretzel: 150 }),
  'scripts/check-prices.sh': CHECK_PRICES,
  'scripts/ask-shop.sh': ASK_SHOP,
}
export const BRANCH_FILES: Readonly<Record<string, string>> = { 'prices.csv': pricesOf({ bread: 430, pretzel: 150 }) }
export const PUSHED_FILES: Readonly<Record<string, string>> = { 'prices.csv': pricesOf({ bread: 430, pretzel: 160 }) }
export const PUSHED_MESSAGE = 'A pretzel costs 1.60'

function pricesOf({ bread, pretzel }: { readonly bread: number; readonly pretzel: number }): string {
  return `name,cents\nbread,${bread}\nroll,60\npretzel,${pretzel}\n`
}

/** The first step succeeds, with a mark at a file; the second needs a session that is over at first. */
export const PIPELINE = `name: check
secrets: { SHOP_SESSION: ${TEAM}/${SECRET} }
timeout: 5m
steps:
  - name: read
    tasks:
      - { name: prices, run: sh scripts/check-prices.sh, idempotent: true }
  - name: ask
    depends_on: [read]
    tasks:
      - { name: shop, run: sh scripts/ask-shop.sh, idempotent: true }
`
