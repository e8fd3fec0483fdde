import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestClock, createTestDatabase, testCaller } from '#platform/testing'
import { render } from '#platform/tools'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aSchedule, openSchedules, TEAM } from './testing.ts'

const PATH = '/v1/schedules'
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T09:00:00.000Z'))
const house = await openSchedules(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers

let count = 0
function aNamed(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1
  return aSchedule({ name: `s${count}`, ...overrides })
}

describe('what is read', () => {
  test('a stranger sees nothing of it, and every route reads as if it were absent', async () => {
    const { body: made } = await house.call('POST', PATH, aNamed())
    const { body: listed } = await house.call('GET', PATH, undefined, { headers: stranger })
    assert.deepEqual(
      Object.values(listed).filter((one) => Object(one)['path'] === TEAM),
      [],
    )
    const routes = [
      ['GET', ''],
      ['PUT', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['POST', '/run'],
    ] as const
    for (const [method, below] of routes) {
      const body = method === 'PATCH' ? {} : method === 'PUT' ? aNamed() : undefined
      const ask = async (id: string) => {
        const { status, text } = await house.call(method, `${PATH}/${id}${below}`, body, { headers: stranger })
        return [status, text.replaceAll(decodeURIComponent(id), 'ID').replace(/"request_id":"[^"]*"/, '')]
      }
      const [status, text] = await ask(String(made['id']))
      assert.equal(status, 404, `${method} ${below}`)
      assert.deepEqual(await ask(randomUUID()), [404, text])
      assert.equal((await ask(encodeURIComponent(String(made['identifier']))))[0], 404)
    }
  })

  test('an id that is none is 400, one of dashes and one of nobody are 404', async () => {
    for (const [id, status] of [
      ['none', 400],
      ['-'.repeat(36), 404],
      [randomUUID(), 404],
      ['acme%2Fweb%2Fnone', 404],
    ] as const) {
      for (const [method, below] of [
        ['GET', ''],
        ['POST', '/run'],
        ['DELETE', ''],
      ] as const) {
        const answer = await house.call(method, `${PATH}/${id}${below}`)
        assert.equal(answer.status, status, `${method} ${id}: ${answer.text}`)
      }
    }
  })

  test('the list is newest first, paged, and narrowed by team and by enabled', async () => {
    await aTeam(db, 'acme/listed')
    const reader = (await aMember(db, 'reader', 'viewer', 'acme/listed')).headers
    const ids: unknown[] = []
    for (const enabled of [true, false, true]) {
      const { body } = await house.call('POST', PATH, aNamed({ path: 'acme/listed', enabled }))
      ids.unshift(body['id'])
    }
    const idsOf = (body: object) => Object.values(body).map((one) => Object(one)['id'])
    const list = (query: string) => house.call('GET', `${PATH}?team_path=acme/listed${query}`)
    assert.deepEqual(idsOf((await list('')).body), ids)
    assert.deepEqual(idsOf((await house.call('GET', PATH, undefined, { headers: reader })).body), ids)
    assert.deepEqual(idsOf((await list('&enabled=false')).body), [ids[1]])
    assert.deepEqual(idsOf((await list('&enabled=true')).body), [ids[0], ids[2]])
    assert.deepEqual((await house.call('GET', `${PATH}?team_path=acme`)).body, [], 'of this team alone')
    const first = await list('&limit=2&enabled=true')
    assert.equal(first.headers['link'], undefined)
    const page = await list('&limit=2')
    const next = /<(.+)>; rel="next"/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual([idsOf(page.body), idsOf((await house.call('GET', next)).body)], [ids.slice(0, 2), ids.slice(2)])
    for (const query of ['&enabled=maybe', '&enabled=1', '&limit=0', '&limit=501', '&cursor=x', '&colour=red']) {
      assert.equal((await list(query)).status, 400, query)
    }
    assert.equal((await house.call('GET', `${PATH}?team_path=Acme`)).status, 400)
  })

  test('the detail says when in words, and what comes next; none while it is disabled', async () => {
    const { body: made } = await house.call('POST', PATH, aNamed({ exclude_dates: ['2026-11-25'] }))
    const identifier = encodeURIComponent(String(made['identifier']))
    const { body, text } = await house.call('GET', `${PATH}/${identifier}`, undefined, { headers: viewer })
    assert.deepEqual({ ...body, ...made }, body, text)
    assert.equal(body['words'], 'At 02:30, Europe/Berlin')
    const upcoming = Object.values(Object(body['upcoming'])).map((one) => Object(one)['planned_at'])
    const days = ['24', '26', '27', '28', '29']
    assert.deepEqual(
      upcoming,
      days.map((day) => `2026-11-${day}T01:30:00.000Z`),
    )
    assert.equal(Object(body['upcoming'])[0].local, '2026-11-24T02:30:00+01:00')
    await house.call('POST', `${PATH}/${identifier}/disable`)
    const rests = await house.call('GET', `${PATH}/${identifier}`)
    assert.deepEqual([rests.body['upcoming'], rests.body['next_fire_at']], [[], null])
  })

  test('recent runs are the newest ten that the caller may see', async () => {
    const { body: made } = await house.call('POST', PATH, aNamed())
    const url = `${PATH}/${made['id']}`
    const shown: unknown[] = []
    for (let run = 0; run < 12; run += 1) {
      shown.unshift((await house.call('POST', `${url}/run`)).body['run_id'])
    }
    await db
      .updateTable('runs')
      .set({ team_path: 'acme/other' })
      .where('id', 'in', [String(shown[0]), String(shown[1])])
      .execute()
    const seen = async (headers: Record<string, string>) =>
      Object.values(Object((await house.call('GET', url, undefined, { headers })).body['recent_runs']))
    assert.deepEqual(
      (await seen({})).map((run) => Object(run)['run_id']),
      shown.slice(0, 10),
    )
    assert.deepEqual(
      (await seen(viewer)).map((run) => Object(run)['run_id']),
      shown.slice(2, 12),
    )
    const [newest] = await seen({})
    const at = clock.now().toISOString()
    const times = { scheduled_at: at, queued_at: at, started_at: null, finished_at: null }
    assert.deepEqual(newest, { run_id: shown[0], status: 'queued', ...times })
  })
})

test('a team that has schedules cannot be deleted, and its problem names them', async () => {
  await aTeam(db, 'acme/full')
  const { body } = await house.call('POST', PATH, aNamed({ path: 'acme/full' }))
  const refused = await house.call('DELETE', '/v1/teams/acme%2Ffull')
  assert.equal(refused.status, 409, refused.text)
  assert.match(String(refused.body['detail']), /still owns schedules/)
  assert.equal((await house.call('DELETE', `${PATH}/${body['id']}`)).status, 204)
  assert.equal((await house.call('DELETE', '/v1/teams/acme%2Ffull')).status, 204)
})

test('a team that only hears of runs may go; the team of the pipeline hears of them then', async () => {
  await aTeam(db, 'acme/hears')
  const { body } = await house.call('POST', PATH, aNamed({ run_team_path: 'acme/hears' }))
  assert.equal((await house.call('DELETE', '/v1/teams/acme%2Fhears')).status, 204)
  assert.equal((await house.call('GET', `${PATH}/${body['id']}`)).body['run_team_path'], null)
})

describe('an agent', () => {
  async function ask(name: string, input: object, permissions: readonly string[] = ['schedule.read']) {
    const caller = testCaller({ [TEAM]: permissions })
    const signal = new AbortController().signal
    const origin = { caller, address: '127.0.0.1', requestId: house.kit.ids.next(), log: house.kit.log, signal }
    const answer = await house.tools.find((tool) => tool.name === name)?.run({ calls: house.calls, origin, input })
    assert.ok(answer)
    const { texts } = render(answer, { boundary: 'f'.repeat(32), maxCharacters: 8000 })
    return JSON.parse(texts[0] ?? '')
  }

  test('lists schedules by pages, and is told why one did not fire', async () => {
    const { body: made } = await house.call('POST', PATH, aNamed())
    await house.call('POST', PATH, aNamed())
    const first = await ask('list_schedules', { team_path: TEAM, limit: 1 })
    const [next] = first.next
    const [second] = (await ask('list_schedules', next.arguments)).schedules
    assert.equal(second.identifier, made['identifier'])
    assert.deepEqual([second.cron_expression, second.timezone, second.enabled], ['30 2 * * *', 'Europe/Berlin', true])
    const why = await ask('explain_schedule', { schedule: second.identifier, at: '2026-11-20T12:00' })
    assert.equal(why.findings[0].code, 'schedule.made_later')
    assert.deepEqual(why.findings[0].evidence, [{ kind: 'schedule', id: made['id'] }])
    await assert.rejects(ask('explain_schedule', { schedule: String(made['id']) }, []), { code: 'not_found' })
  })
})
