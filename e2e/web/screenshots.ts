import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { startHouse } from '../house/house.ts'
import { makeExhibition } from './exhibition.ts'
import { goThroughSetup } from './first-start.ts'
import { showIn } from './layout.ts'
import { LOOKS } from './looks.ts'
import { openContext, PHONE, WIDE } from './open-page.ts'
import { type ListedPage, PAGES } from './pages.ts'
import type { Scenery } from './scenery.ts'
import { watchRequests } from './settle.ts'
import { leaveStage, takeStage } from './stage.ts'

// npm run screenshots [-- words of pages]: every page, tab and step of the setup, or those whose name holds a word, in both
// themes, wide and on a phone, into .screenshots/.

const folder = resolve(import.meta.dirname, '../../.screenshots')
const wanted = process.argv.slice(2)

await using opened = new AsyncDisposableStack()
const stage = await takeStage()
opened.defer(leaveStage)
mkdirSync(folder, { recursive: true })

// An emergency is told on every page: one picture shows it, then it is lifted. This house has been set up: another is not.
const pages = PAGES.filter(({ room }) => room !== 'setup')
const [emergencies, others] = [
  pages.filter(({ path }) => path === 'emergencies'),
  [...pages.filter(({ path }) => path !== 'emergencies'), ...LOOKS],
]
for (const page of emergencies) await picture(page, stage)
const { scenery, close } = await makeExhibition(stage)
opened.defer(close)
for (const page of others) await picture(page, scenery)
if (isWanted('setup-setup')) await pictureSetup()

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((word) => name.includes(word))
}

async function pictureSetup(): Promise<void> {
  const house = await startHouse({ env: { BOOTSTRAP_ADMIN_TOKEN: '' } })
  const context = await stage.browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    const look = (step: string) => take(page, `setup-setup-${step}`)
    await goThroughSetup(page, house, { login: 'ada', password: 'correct horse battery', look })
  } finally {
    await context.close()
    await house.stop()
  }
}

async function picture({ room, path, address, as = 'owner' }: ListedPage, shown: Scenery): Promise<void> {
  const name = `${room}-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`
  if (!isWanted(name)) return
  const context = await openContext(stage, as === null ? {} : { as })
  const page = await context.newPage()
  const settle = watchRequests(page)
  await page.goto(`${stage.house.url}/#${address(shown)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle()
  // The graph beside the text of a pipeline is laid out behind the last answer.
  if ((await page.getByText('Graph and problems').count()) > 0) await page.getByText('React Flow').waitFor()
  await take(page, name)
  await context.close()
}

/** The page as it stands, four times. */
async function take(page: Page, name: string): Promise<void> {
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    for (const scheme of ['light', 'dark'] as const) {
      await showIn(page, scheme)
      await page.screenshot({ path: join(folder, `${name}-${size.width}-${scheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize(WIDE)
  console.info(name)
}
