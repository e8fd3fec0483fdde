import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Operation, readOperations } from '../house/open-api.ts'
import { holdWrites, listButtons, operationOf, press } from './buttons.ts'
import { LOOKS } from './looks.ts'
import type { OpenPage } from './open-page.ts'
import { type ListedPage, PAGES } from './pages.ts'
import { describeWeb } from './visit.ts'

const LACK = /^You need the permission ([a-z_.]+) (?:in|on) .+\. .+ can give it\.$/
/** Every reading that is refused is asked for as the page goes, and is said in it. */
const REFUSED = /^answer: GET [^ ]+ (?:403|404)$/
/** Of what the test held back. */
const HELD = /^answer: (?!GET)\w+ [^ ]+ 400$/
/** What needs no permission where it is about oneself, as the viewer's is. */
const ABOUT_ONESELF = new Set(['PATCH /v1/users/{id}', 'POST /v1/tokens'])
/** Of a list, and not a right: others see more. */
const OF_LISTS = new Set(['Show more'])
const SIGNED_IN = PAGES.filter(({ as }) => as !== null)
/** Tabs with buttons of their own. */
const ACTING = /^(?:runs\/\$id (?:approvals|artifacts)|pipelines\/\$id versions|schedules\/\$id \w+)$/
const COMPARED = [...SIGNED_IN, ...LOOKS.filter(({ path }) => ACTING.test(path))]

describeWeb('of every page a viewer meets what she may not do, off, and nothing that would be refused', (web) => {
  let operations: readonly Operation[]
  let held: ReadonlySet<string>
  before(async () => {
    operations = await readOperations(web.stage.house.url)
    const me = await web.stage.world.members.viewer.get<{
      capabilities: { permissions: Record<string, readonly string[]> }
    }>('/v1/auth/me')
    held = new Set(Object.values(me.capabilities.permissions).flat())
  })

  const writes = new WeakMap<Page, ReturnType<typeof holdWrites>>()
  function writesOf(page: Page): ReturnType<typeof holdWrites> {
    const known = writes.get(page) ?? holdWrites(page)
    writes.set(page, known)
    return known
  }

  const mayCall = (operation: Operation | undefined): boolean =>
    operation?.permission === undefined ||
    held.has(operation.permission) ||
    ABOUT_ONESELF.has(`${operation.method} ${operation.path}`)

  /** What is wrong with the buttons that a viewer has there, beside those of somebody who may use the page. */
  async function compare({ address, as = 'owner' }: ListedPage, viewer: OpenPage): Promise<string[]> {
    const faults: string[] = []
    const own = await listButtons(viewer.page)
    const isRefused = (await viewer.page.locator('main [role="alert"]').count()) > 0
    await web.stage.seats.visit(as, address(web.stage), async (other) => {
      await other.settle()
      for (const [name, { isOff }] of await listButtons(other.page)) {
        const mine = own.get(name)
        if (isOff || isRefused || OF_LISTS.has(name)) continue
        if (!mine) faults.push(`"${name}" is absent`)
        else if (mine.isOff && !isLack(mine.why)) faults.push(`"${name}" is off because of "${mine.why}"`)
      }
    })
    return faults
  }

  function isLack(why: string): boolean {
    const [, permission] = LACK.exec(why) ?? []
    return permission !== undefined && !held.has(permission)
  }

  /** Presses every button that a viewer can press; what comes of it must not need what a viewer does not hold. */
  async function pressAll(
    { page, settle }: OpenPage,
    taken: Awaited<ReturnType<typeof holdWrites>>,
  ): Promise<string[]> {
    const faults: string[] = []
    const place = page.url()
    for (const { name, isOff } of (await listButtons(page)).values()) {
      if (isOff || name.startsWith('Cop')) continue
      taken()
      await press(page, name, settle)
      for (const request of taken()) {
        const operation = operationOf(operations, request)
        if (!mayCall(operation)) faults.push(`"${name}" calls ${operation?.method} ${operation?.path}`)
      }
      if (page.url() !== place) await comeBack(page, place, settle)
    }
    return faults
  }

  async function comeBack(page: Page, place: string, settle: () => Promise<void>): Promise<void> {
    await page.evaluate((hash) => (location.hash = hash), new URL(place).hash)
    await settle()
  }

  for (const listed of COMPARED) {
    test(`${listed.room}: ${listed.path}`, () =>
      web.stage.seats.visit('viewer', listed.address(web.stage), async (viewer) => {
        viewer.expect(REFUSED)
        viewer.expect(HELD)
        const taken = await writesOf(viewer.page)
        await viewer.settle()
        assert.deepEqual([...(await compare(listed, viewer)), ...(await pressAll(viewer, taken))], [])
        assert.deepEqual(await viewer.findFaults(), [])
      }))
  }

  test('says to a stranger of what is there the same as of what never was', async () => {
    const addresses = SIGNED_IN.map(({ address }) => address(web.stage)).filter((path) => hide(path) !== path)
    const textsAt = async (paths: readonly string[]): Promise<string[]> => {
      const texts: string[] = []
      for (const path of paths) {
        await web.stage.seats.visit('stranger', path, async ({ page, settle, expect }) => {
          expect(REFUSED)
          await settle()
          // A list that has not asked yet has no open request either; what an empty one says is loaded after its answer.
          await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
          await settle()
          // The graph beside the text of a pipeline is laid out behind the last answer.
          if ((await page.getByText('Graph and problems').count()) > 0) await page.getByText('React Flow').waitFor()
          texts.push(`${hide(path)}: ${hide(await page.locator('main').innerText())}`)
        })
      }
      return texts
    }
    assert.deepEqual(await textsAt(addresses), await textsAt(addresses.map(hide)))
  })
})

/** The same with names and ids of what is nowhere. */
function hide(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '019a0000-0000-7000-8000-0000000000ff')
    .replace(/\bacme\b/g, 'nowhere')
}
