import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeExhibition } from './exhibition.ts'
import { showIn } from './layout.ts'
import { type ListedPage, PAGES } from './pages.ts'
import type { Scenery } from './scenery.ts'
import { watchRequests } from './settle.ts'
import { leaveStage, takeStage } from './stage.ts'
import { openContext, PHONE, WIDE } from './visit.ts'

// npm run screenshots [-- words of pages]: every page and tab, or those whose room or path holds a word, in both themes,
// wide and on a phone, into .screenshots/.

/** Tabs and ways to look that are no page of their own. */
const LOOKS: readonly ListedPage[] = [
  ...['attempts', 'values', 'results', 'artifacts', 'approvals', 'policies'].map((tab) => ({
    room: 'runs',
    path: `runs/$id ${tab}`,
    address: ({ runs }: Scenery) => `/runs/${runs.failed}?tab=${tab}`,
    heading: /./,
  })),
  ...['timeline', 'table'].map((view) => ({
    room: 'runs',
    path: `runs/$id ${view}`,
    address: ({ runs }: Scenery) => `/runs/${runs.failed}?view=${view}`,
    heading: /./,
  })),
  ...['document', 'causes', 'versions'].map((tab) => ({
    room: 'pipelines',
    path: `pipelines/$id ${tab}`,
    address: () => `/pipelines/acme%2Fapi?tab=${tab}`,
    heading: /./,
  })),
  ...['document', 'backfills'].map((tab) => ({
    room: 'schedules',
    path: `schedules/$id ${tab}`,
    address: ({ world }: Scenery) => `/schedules/${world.ids.get('/v1/schedules')?.[0] ?? ''}?tab=${tab}`,
    heading: /./,
  })),
]

const folder = resolve(import.meta.dirname, '../../.screenshots')
const wanted = process.argv.slice(2)

await using opened = new AsyncDisposableStack()
const stage = await takeStage()
opened.defer(leaveStage)
mkdirSync(folder, { recursive: true })

// An emergency is told on every page: one picture shows it, then it is lifted.
const [emergencies, others] = [
  PAGES.filter(({ path }) => path === 'emergencies'),
  [...PAGES.filter(({ path }) => path !== 'emergencies'), ...LOOKS],
]
for (const page of emergencies) await picture(page, stage)
const { scenery, close } = await makeExhibition(stage)
opened.defer(close)
for (const page of others) await picture(page, scenery)

async function picture({ room, path, address, as = 'owner' }: ListedPage, shown: Scenery): Promise<void> {
  const name = `${room}-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) return
  const context = await openContext(stage, as === null ? {} : { as })
  const page = await context.newPage()
  const settle = watchRequests(page)
  await page.goto(`${stage.house.url}/#${address(shown)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
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
