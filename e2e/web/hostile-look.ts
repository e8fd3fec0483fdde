import type { Page } from 'playwright-core'
import { findOverflow } from './layout.ts'

/** A row that is higher pushes away what stands below it: less than a screen of each. */
const HIGHEST_PX = { wide: 700, phone: 1000 }

/** What hostile texts call, if they run: the console tells of it, which the watcher sees. */
export async function watchForRuns(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { ran: () => console.error('a hostile text ran') }))
}

/** What hostile text has done to the page: it scrolls, hides its direction, leads away, or breaks the rows. */
export async function findHostileFaults(page: Page): Promise<string[]> {
  const faults = await page.evaluate((highest) => {
    const found: string[] = []
    const limit = innerWidth > 500 ? highest.wide : highest.phone
    const invisible =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode as Text
      // What one edits is shown as it is.
      if (parentElement?.closest('textarea, script, style, [contenteditable="true"]')) continue
      const [hidden] = invisible.exec(data) ?? []
      if (hidden !== undefined) {
        found.push(`shows U+${hidden.codePointAt(0)?.toString(16)} raw: ${parentElement?.outerHTML.slice(0, 160)}`)
      }
      if (/\p{M}{20}/u.test(data)) found.push(`shows a tower: ${parentElement?.outerHTML.slice(0, 120)}`)
    }
    for (const row of document.querySelectorAll('tr, [role="row"], li:not(:has(ul, ol)), dd')) {
      const { height } = row.getBoundingClientRect()
      if (height > limit) found.push(`${Math.round(height)} px high: ${row.outerHTML.slice(0, 200)}`)
    }
    for (const element of document.querySelectorAll('[href], [src], [action], [srcdoc]')) {
      for (const name of ['href', 'src', 'action', 'srcdoc']) {
        const value = element.getAttribute(name)
        if (value !== null && /^\s*(javascript|data:text|vbscript)/i.test(value)) found.push(`leads to ${value}`)
      }
    }
    const foreign = [...document.querySelectorAll('main *')].find((element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on')),
    )
    if (foreign) found.push(`has a handler in its markup: ${foreign.outerHTML.slice(0, 160)}`)
    if (invisible.test(document.title)) found.push('the title has invisible characters')
    return found.slice(0, 12)
  }, HIGHEST_PX)
  return [...faults, ...(await findOverflow(page)).map((fault) => `scrolls sideways: ${fault}`)]
}
