import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findFaultsOfPage } from './look.ts'
import { PAGES, statedPages } from './pages.ts'
import { Seats } from './seats.ts'
import { describeWeb } from './visit.ts'

test('every page that a room states is looked at', () => {
  const listed = PAGES.map(({ room, path }) => `${room} ${path}`)
  assert.deepEqual(statedPages().sort(), listed.sort(), 'e2e/web/pages.ts lists the pages of ui/src/rooms/*/pages.ts')
})

/** As many as there are processors in CI: to draw a page and to look at it takes one of them. */
const SIDE_BY_SIDE = { concurrency: 2 }

describeWeb(
  'every page, in both themes, wide and on a phone',
  (web) => {
    const seats = new Seats(() => web.stage)
    after(() => seats.close())

    for (const { room, path, address, heading, as = 'owner' } of PAGES) {
      test(`${room}: ${path}`, () =>
        seats.visit(as, address(web.stage), async ({ page, settle, findFaults }) => {
          await page.getByRole('heading', { level: 1, name: heading }).waitFor()
          assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, 'one heading names the page')
          const name = await page.getByRole('heading', { level: 1 }).innerText()
          assert.ok((await page.title()).endsWith('Signalbox'))
          if (as !== null) assert.equal(await page.title(), `${name} · Signalbox`)
          await settle()
          assert.deepEqual([...(await findFaultsOfPage(page)), ...(await findFaults())], [])
        }))
    }
  },
  SIDE_BY_SIDE,
)
