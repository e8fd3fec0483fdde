import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { SCHEDULE_ID } from '../testing/schedule-samples.ts'
import { stage } from '../testing/stage.ts'

const ID = '01900000-0000-7000-8000-00000000000b'
const BACKFILL = {
  id: ID,
  schedule_id: SCHEDULE_ID,
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-10T00:00:00.000Z',
  only_missing: true,
  concurrency: 1,
  state: 'running',
  requested_by: { kind: 'user', id: 'u', name: 'ada' },
  total: 10,
  pending: 6,
  started: 4,
  unfinished: 1,
  failed: 0,
  canceled: 0,
  created_at: '2026-11-23T01:37:00.000Z',
  finished_at: null,
}
const FINISHED = { ...BACKFILL, state: 'finished', pending: 0, started: 10, unfinished: 0 }
const START = ['schedule', 'backfill', 'acme/nightly', '--from', BACKFILL.from, '--to', BACKFILL.to]
const ADDRESS = '/v1/schedules/acme%2Fnightly/backfill'

/** Answers the creation, and then each look by the next of these, the last one again and again. */
const house = (...looks: readonly object[]) => {
  const left = [...looks]
  return stage(({ method }, response) => {
    if (method === 'POST') answer(response, 202, BACKFILL)
    else answer(response, 200, left.length > 1 ? left.shift() : left[0])
  })
}

describe('a backfill', () => {
  test('is started without the word start, and leaves out what started', async () => {
    await using here = await house()
    const { out, code } = await here.run(START)
    assert.equal(code, 0)
    assert.match(out, /^progress\t3 of 10 done, 1 running, 6 pending$/m)
    assert.match(out, /^instants\twithout those that started a run$/m)
    assert.equal(here.api.seen[0]?.path, ADDRESS)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { from: BACKFILL.from, to: BACKFILL.to })
  })

  test('takes options before and after the schedule', async () => {
    await using here = await house()
    const [, , schedule = '', ...range] = START
    const lines = [
      ['schedule', 'backfill', ...range, '--all', '--concurrency', '5', schedule, '--json'],
      ['schedule', '--json', 'backfill', '--all', schedule, ...range, '--concurrency', '5'],
      ['schedule', 'backfill', '--json', 'start', schedule, '--all', ...range, '--concurrency', '5'],
    ]
    for (const line of lines) {
      const { out, err, code } = await here.run(line)
      assert.equal(code, 0, err)
      assert.equal(JSON.parse(out).id, ID)
      const body = { from: BACKFILL.from, to: BACKFILL.to, only_missing: false, concurrency: 5 }
      assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), body)
    }
  })

  test('that has no range, or a wrong one, is not sent', async () => {
    await using here = await house()
    for (const args of [
      [],
      ['--from', '2d'],
      ['--from', '2d', '--to', 'now'],
      ['--from', '2d', '--to', '1d', '--concurrency', '51'],
    ]) {
      assert.equal((await here.run(['schedule', 'backfill', 'acme/nightly', ...args])).code, 2, args.join(' '))
    }
    assert.equal(here.api.seen.length, 0)
  })

  test('is followed to its end', async () => {
    await using here = await house(BACKFILL, FINISHED)
    const { out, err, code } = await here.run([...START, '--follow'])
    assert.equal(code, 0, err)
    assert.match(out, /^state\tfinished$/m)
    assert.match(out, /^progress\t10 of 10 done$/m)
    assert.equal(here.api.seen.at(-1)?.path, `/v1/schedules/${SCHEDULE_ID}/backfills/${ID}`)
  })

  test('that could not start an instant ends with 10, a canceled one with 12', async () => {
    await using refused = await house({ ...FINISHED, started: 8, failed: 2 })
    const { out, err, code } = await refused.run([...START, '--follow'])
    assert.equal(code, 10)
    assert.match(out, /^progress\t8 of 10 done, 2 started nothing$/m)
    assert.match(err, /`signalbox schedule fires` says why/)
    await using canceled = await house({ ...FINISHED, state: 'canceled', started: 4, canceled: 6 })
    assert.equal((await canceled.run([...START, '--follow'])).code, 12)
  })

  test('over a range of a running one is a conflict', async () => {
    await using here = await stage((_, response) => refuse(response, 409, 'schedule.backfill_running', 'It runs.'))
    assert.equal((await here.run(START)).code, 6)
  })

  test('that is refused names the option', async () => {
    const errors = [{ field: 'from', message: 'lies after `to`' }]
    const problem = { detail: 'from lies after `to`.', errors }
    await using here = await stage((_, response) => refuse(response, 400, 'invalid_request', problem))
    assert.match((await here.run(START)).err, /^error --from lies after `to`\.$/m)
  })

  test('is listed, shown and canceled', async () => {
    await using here = await stage(({ method, path }, response) => {
      if (method === 'POST') answer(response, 200, { ...BACKFILL, state: 'canceled', pending: 0, canceled: 6 })
      else answer(response, 200, path.includes('?') ? [BACKFILL] : BACKFILL)
    })
    const listed = await here.run(['schedule', 'backfill', 'list', 'acme/nightly'])
    assert.match(
      listed.out,
      new RegExp(
        `^${ID}\\t2026-11-01T00:00:00Z\\t2026-11-10T00:00:00Z\\trunning\\t3 of 10 done, .*\\tada\\t.* ago$`,
        'm',
      ),
    )
    const shown = await here.run(['schedule', 'backfill', 'show', 'acme/nightly', ID])
    assert.match(shown.out, /^state\trunning$/m)
    const ended = await here.run(['schedule', 'backfill', 'cancel', 'acme/nightly', ID])
    assert.match(ended.err, /is canceled: 3 of 10 done, 1 running, 6 canceled\.$/m)
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [`GET ${ADDRESS}s?limit=20`, `GET ${ADDRESS}s/${ID}`, `POST ${ADDRESS}s/${ID}/cancel`],
    )
  })
})
