import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { showIn } from './layout.ts'
import { PAGES } from './pages.ts'
import { watchRequests } from './settle.ts'
import { leaveStage, takeStage } from './stage.ts'
import { openContext, PHONE, WIDE } from './visit.ts'

// npm run screenshots [-- words of pages]: every page, or those whose room or path holds a word, in both themes, wide and
// on a phone, into .screenshots/.

const folder = resolve(import.meta.dirname, '../../.screenshots')
const wanted = process.argv.slice(2)

const stage = await takeStage()
mkdirSync(folder, { recursive: true })
try {
  for (const { room, path, address, heading, as = 'owner' } of PAGES) {
    const name = `${room}-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
    const context = await openContext(stage, as === null ? {} : { as })
    const page = await context.newPage()
    const settle = watchRequests(page)
    await page.goto(`${stage.house.url}/#${address(stage)}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await settle()
    for (const size of [WIDE, PHONE]) {
      await page.setViewportSize(size)
      for (const scheme of ['light', 'dark'] as const) {
        await showIn(page, scheme)
        await page.screenshot({ path: join(folder, `${name}-${size.width}-${scheme}.png`), fullPage: true })
      }
    }
    console.info(name)
    await context.close()
  }
} finally {
  leaveStage()
}
