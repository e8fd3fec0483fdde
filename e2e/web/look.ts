import type { Page } from 'playwright-core'
import { findAxeFaults } from './axe.ts'
import { findOverflow, showIn, walkByTab } from './layout.ts'
import { PHONE, WIDE } from './visit.ts'

/** Rules of axe about colours. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** The faults of a page, wide and on a phone, in both themes. It is left as it was: wide and light. */
export async function findFaultsOfPage(page: Page): Promise<string[]> {
  const wide = await findFaultsAt(page, WIDE, ['light', 'dark'])
  const phone = await findFaultsAt(page, PHONE, ['dark', 'light'])
  await page.setViewportSize(WIDE)
  return [...wide, ...phone]
}

async function findFaultsAt(
  page: Page,
  size: { readonly width: number; readonly height: number },
  schemes: readonly ['light' | 'dark', 'light' | 'dark'],
): Promise<string[]> {
  await page.setViewportSize(size)
  const [before, after] = schemes
  await showIn(page, before)
  const overflow = await findOverflow(page)
  const first = await findAxeFaults(page)
  const markup = await readMarkup(page)
  await showIn(page, after)
  // The same markup in other colours: rules about anything else would find the same again.
  overflow.push(...(await findOverflow(page)))
  const second = await findAxeFaults(page, (await readMarkup(page)) === markup ? COLOURS : undefined)
  const { missed, returns } = await walkByTab(page)
  const found = [
    ...overflow.map((fault) => `scrolls sideways: ${fault}`),
    ...first.map((fault) => `${before}: ${fault}`),
    ...second.map((fault) => `${after}: ${fault}`),
    ...missed.map((element) => `Tab never reaches ${element}`),
    ...(returns ? [] : ['Tab does not return to the beginning']),
  ]
  return found.map((fault) => `${size.width} px, ${fault}`)
}

function readMarkup(page: Page): Promise<string> {
  return page.evaluate(() => document.body.outerHTML)
}
