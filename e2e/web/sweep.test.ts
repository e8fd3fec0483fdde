import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAxeFaults } from './axe.ts'
import { findOverflow, showIn, walkByTab } from './layout.ts'
import { PAGES, statedPages } from './pages.ts'
import { describeWeb, PHONE, WIDE } from './visit.ts'

test('every page that a room states is looked at', () => {
  const listed = PAGES.map(({ room, path }) => `${room} ${path}`)
  assert.deepEqual(statedPages().sort(), listed.sort(), 'e2e/web/pages.ts lists the pages of ui/src/rooms/*/pages.ts')
})

/** Between the themes the colours alone differ. */
const COLOURS = ['color-contrast', 'link-in-text-block']

describeWeb('every page, in both themes, wide and on a phone', (web) => {
  for (const { room, path, address, heading, as = 'owner' } of PAGES) {
    test(`${room}: ${path}`, async () => {
      await web.visit(as === null ? {} : { as }, async ({ page, open, settle }) => {
        await open(address(web.stage))
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, 'one heading names the page')
        const name = await page.getByRole('heading', { level: 1 }).innerText()
        assert.ok((await page.title()).endsWith('Signalbox'))
        if (as !== null) assert.equal(await page.title(), `${name} · Signalbox`)
        await settle()

        for (const size of [WIDE, PHONE]) {
          await page.setViewportSize(size)
          await showIn(page, 'light')
          const where = `${size.width} px`
          assert.deepEqual(await findOverflow(page), [], `${where}: does not scroll sideways`)
          assert.deepEqual(await findAxeFaults(page), [], `${where}, light: accessible`)
          await showIn(page, 'dark')
          assert.deepEqual(await findAxeFaults(page, COLOURS), [], `${where}, dark: readable`)
        }
        await page.setViewportSize(WIDE)
        assert.deepEqual(await walkByTab(page), { missed: [], returns: true }, 'Tab reaches all, and returns')
      })
    })
  }
})
