import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaultsOfLook, findFaultsOfPage } from './look.ts'
import { LOOKS, statedLooks } from './looks.ts'
import { type ListedPage, PAGES, statedPages } from './pages.ts'
import { describeWeb } from './visit.ts'

test('every page that a room states is looked at', () => {
  const listed = PAGES.map(({ room, path }) => `${room} ${path}`)
  assert.deepEqual(statedPages().sort(), listed.sort(), 'e2e/web/pages.ts lists the pages of ui/src/rooms/*/pages.ts')
})

test('every tab and view that a room states is looked at', () => {
  const listed = LOOKS.map(({ path }) => path)
  assert.deepEqual(statedLooks().sort(), listed.sort(), 'e2e/web/looks.ts lists them')
})

describeWeb('every page, in both themes, wide and on a phone', (web) => {
  const look = ({ room, path, address, heading, as = 'owner' }: ListedPage, find: typeof findFaultsOfPage): void => {
    test(`${room}: ${path}`, () =>
      web.stage.seats.visit(as, address(web.stage), async ({ page, settle, findFaults }) => {
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        // Until its answer is there, a page has the name of its kind.
        await settle()
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, 'one heading names the page')
        const name = await page.getByRole('heading', { level: 1 }).innerText()
        assert.ok((await page.title()).endsWith('Signalbox'))
        if (as !== null) assert.equal(await page.title(), `${name} · Signalbox`)
        assert.deepEqual([...(await find(page)), ...(await findFaults())], [])
      }))
  }
  for (const page of PAGES) look(page, findFaultsOfPage)
  for (const page of LOOKS) look(page, findFaultsOfLook)
})
