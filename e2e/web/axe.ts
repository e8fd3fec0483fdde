import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose every violation is moderate or minor, left out in the words of axe: their answers would be thrown away. */
const MILD = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === 'moderate' || impact === 'minor')
  .map(({ id }) => [id, { enabled: false }]))`

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/**
 * The serious and critical faults of the page as it stands, by axe. Only colours differ between the themes: `rules` can
 * ask for those alone, `within` for a part of the page. The policy of the page forbids script tags, so the text is evaluated by the debugger.
 */
export async function findAxeFaults(page: Page, rules?: readonly string[], within = 'html'): Promise<string[]> {
  await drawAll(page)
  await bringAxe(page)
  const asked = rules ? `runOnly: { type: 'rule', values: ${JSON.stringify(rules)} }` : `rules: ${MILD}`
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'], selectors: false, ${asked} })
      .then((found) => found.violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => {
      const [first] = nodes
      return `${id} (${nodes.length}): ${help}\n    ${first?.html.slice(0, 200)}\n    ${first?.failureSummary ?? ''}`
    })
}

/** Brings axe once into each document: to send and to compile its text takes longer than to look at a page. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(SOURCE)
}

/** Rows that are not in sight keep the colours that they had when they were: axe would read those. */
async function drawAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets = [sheet]
  })
}
