import type { Page } from 'playwright-core'
import { findAxeFaults } from './axe.ts'
import { findOverflow, resize, showIn, walkByTab } from './layout.ts'
import { PHONE, WIDE } from './open-page.ts'

/** Rules of axe about colours. */
const COLOURS = ['color-contrast', 'link-in-text-block']

type Size = typeof WIDE
type Scheme = 'light' | 'dark'

/**
 * The faults of a page, wide and on a phone, in both themes. It begins with the size and the theme that the page has, and
 * ends in the other size: to lay out a page again, or to draw it in other colours, takes long.
 */
export async function findFaultsOfPage(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const size of sizesOf(page)) {
    faults.push(...(await findFaultsAt(page, size, await schemesOf(page))), ...(await findFaultsOfWalk(page, size)))
  }
  return faults
}

/**
 * The faults of a tab or view of a page that is looked at besides: in one size in one theme, in the other one in the other theme,
 * and by Tab where it is wide. The frame around it is that of the page. It begins with what the page has, as above.
 */
export async function findFaultsOfLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  const schemes = await schemesOf(page)
  for (const [at, size] of sizesOf(page).entries()) {
    faults.push(...(await findFaultsIn(page, size, schemes[at === 0 ? 0 : 1])))
    if (size === WIDE) faults.push(...(await findFaultsOfWalk(page, size)))
  }
  return faults
}

/** The size that the page has, and the other one: to lay out a page again takes long. */
export function sizesOf(page: Page): readonly [Size, Size] {
  return page.viewportSize()?.width === PHONE.width ? [PHONE, WIDE] : [WIDE, PHONE]
}

async function findFaultsIn(page: Page, size: Size, scheme: Scheme): Promise<string[]> {
  await resize(page, size)
  await showIn(page, scheme)
  const overflow = (await findOverflow(page)).map((fault) => `scrolls sideways: ${fault}`)
  const found = [...overflow, ...(await findAxeFaults(page, undefined, 'main'))]
  return found.map((fault) => `${size.width} px, ${scheme}: ${fault}`)
}

/** The theme that the page has, and the other one. */
async function schemesOf(page: Page): Promise<readonly [Scheme, Scheme]> {
  const isDark = (await page.locator('html[data-mantine-color-scheme="dark"]').count()) > 0
  return isDark ? ['dark', 'light'] : ['light', 'dark']
}

/**
 * The faults of what lies above the page, a dialog or a menu. On a phone only its place differs: the sweep looks at the rest.
 * It begins with the theme that the page has, and ends in the other one: to draw a page in other colours takes long.
 */
export async function findFaultsOfDialog(page: Page): Promise<string[]> {
  const [before, after] = await schemesOf(page)
  const wide = await findFaultsAt(page, WIDE, [before, after], DIALOG)
  await resize(page, PHONE)
  await showIn(page, after)
  const phone = (await findOverflow(page)).map((fault) => `${PHONE.width} px, scrolls sideways: ${fault}`)
  await resize(page, WIDE)
  return [...wide, ...phone]
}

const DIALOG = '[role="dialog"], [role="menu"]'

async function findFaultsAt(
  page: Page,
  size: Size,
  [before, after]: readonly [Scheme, Scheme],
  within?: string,
): Promise<string[]> {
  await resize(page, size)
  await showIn(page, before)
  const overflow = await findOverflow(page)
  const first = await findAxeFaults(page, undefined, within)
  const markup = await readMarkup(page)
  await showIn(page, after)
  overflow.push(...(await findOverflow(page)))
  // The same markup in other colours: rules about anything else would find the same again.
  const second = await findAxeFaults(page, (await readMarkup(page)) === markup ? COLOURS : undefined, within)
  const found = [
    ...overflow.map((fault) => `scrolls sideways: ${fault}`),
    ...first.map((fault) => `${before}: ${fault}`),
    ...second.map((fault) => `${after}: ${fault}`),
  ]
  return found.map((fault) => `${size.width} px, ${fault}`)
}

async function findFaultsOfWalk(page: Page, size: Size): Promise<string[]> {
  const { missed, returns } = await walkByTab(page)
  const found = missed.map((element) => `Tab never reaches ${element}`)
  if (!returns) found.push('Tab does not return to the beginning')
  return found.map((fault) => `${size.width} px, ${fault}`)
}

function readMarkup(page: Page): Promise<string> {
  return page.evaluate(() => document.body.outerHTML)
}
