import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Request } from 'playwright-core'
import { describeWeb } from './visit.ts'

/** More than a page can follow. */
const SOURCES = 42
const TEAM = 'crowd'
const KIND = 'deliveries:'

/** The sources whose deliveries a stream asks for. */
function followedBy(request: Request): readonly string[] {
  const { pathname, searchParams } = new URL(request.url())
  const topics = pathname === '/v1/live' ? (searchParams.get('topics') ?? '').split(',') : []
  return topics.filter((topic) => topic.startsWith(KIND)).map((topic) => topic.slice(KIND.length))
}

describeWeb('deliveries of more sources than a page can follow', (web) => {
  const ids: string[] = []
  before(async () => {
    const { api } = web.stage.house
    await api.send('POST', '/v1/teams', { path: TEAM })
    await api.send('POST', '/v1/secrets', { team_path: TEAM, name: 'webhook', value: 'a secret of many sources' })
    const make = async (at: number): Promise<string> => {
      const source = await api.send<{ id: string }>('POST', '/v1/git-webhook-sources', {
        name: `crowd-${at}`,
        provider: 'github',
        team_path: TEAM,
        auth_mode: 'signature',
        credential_ref: `secret:${TEAM}/webhook`,
        repository_allowlist: [`crowd/repository-${at}`],
      })
      return source.id
    }
    for (let at = 0; at < SOURCES; at += 1) ids.push(await make(at))
  })
  after(async () => {
    const { api } = web.stage.house
    for (const id of ids) await api.send('DELETE', `/v1/git-webhook-sources/${id}`)
  })

  test('the page says how many it does not follow, and follows the one that is chosen', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      const note = page.getByText('What comes to 40 sources appears by itself, what comes to 2 other sources')
      const follows = (wanted: (ids: readonly string[]) => boolean) =>
        page.waitForRequest((request) => wanted(followedBy(request)))
      const crowd = follows((followed) => followed.length > 1)
      await open(`/t/${TEAM}/deliveries`)
      await note.waitFor()
      const followed = new Set(followedBy(await crowd))
      const others = ids.filter((id) => !followed.has(id))
      assert.deepEqual([followed.size, others.length], [40, 2])
      const one = follows((chosen) => chosen.length === 1 && chosen[0] === others[0])
      await page.goto(`${web.stage.house.url}/#/t/${TEAM}/deliveries?source=${others[0]}`)
      await one
      await note.waitFor({ state: 'detached' })
    })
  })
})
