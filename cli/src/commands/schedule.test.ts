import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { OCCURRENCES, SCHEDULE, scheduleStore } from '../testing/schedule-samples.ts'
import { stage } from '../testing/stage.ts'

const IDENTIFIER = 'acme/web/nightly'
const ADDRESS = '/v1/schedules/acme%2Fweb%2Fnightly'

describe('schedules', () => {
  test('are listed with their next instant and their last outcome', async () => {
    await using here = await stage(scheduleStore)
    const { out, code } = await here.run(['schedule', 'list', '--team', 'acme/web', '--disabled'])
    assert.equal(code, 0)
    assert.match(
      out,
      /^acme\/web\/nightly\t30 2 \* \* 1-5 Europe\/Berlin\t[^\t]+\tdenied\tacme\/web\/build\tacme\/web\/test\tenabled$/m,
    )
    assert.equal(here.api.seen[0]?.path, '/v1/schedules?team_path=acme%2Fweb&enabled=false&limit=50')
    assert.equal((await here.run(['schedule', 'list', '--enabled', '--disabled'])).code, 2)
  })

  test('are shown with words, the last outcome and its reason, next instants and recent runs', async () => {
    await using here = await stage(scheduleStore)
    const { out } = await here.run(['schedule', 'show', IDENTIFIER])
    for (const line of [
      'when\tAt 02:30 AM, Monday through Friday, Europe/Berlin',
      'calendar\t2 events',
      'missed\tof what is later than 5 m 00 s, fire the last within 24 h 00 m',
      'variables\tLEVEL=full',
      'repository\tacme/shop at main',
      'outcome\tdenied',
      'reason\tada may not start runs of acme/web any more.',
    ]) {
      assert.ok(out.split('\n').includes(line), `${line}\n${out}`)
    }
    assert.match(out, /^Tue 2026-11-24 02:37:00 \+01:00\t2026-11-24T01:37:00Z\t[^\t]+\tspread$/m)
    assert.match(out, /^01a1fc20-0000-7000-8000-000000000001\tsuccess\t2026-11-20T01:30:00Z\t4\.0 s\t.* ago$/m)
    assert.equal(here.api.seen[0]?.path, ADDRESS)
  })

  test('fit the terminal', async () => {
    await using here = await stage(scheduleStore)
    for (const args of [
      ['schedule', 'list'],
      ['schedule', 'show', IDENTIFIER],
    ]) {
      const { out } = await here.run(args, { terminal: true, env: { NO_COLOR: '1' } })
      for (const line of out.split('\n')) assert.ok(line.length <= 100, line)
    }
  })

  test('are enabled, disabled and deleted', async () => {
    await using here = await stage(scheduleStore)
    assert.match(
      (await here.run(['schedule', 'enable', IDENTIFIER])).err,
      /^Schedule acme\/web\/nightly is enabled; it fires next at 2026-11-24T01:37:00\.000Z\.$/m,
    )
    assert.match((await here.run(['schedule', 'disable', SCHEDULE.id])).err, /nightly is disabled/)
    assert.equal((await here.run(['schedule', 'delete', IDENTIFIER])).code, 2)
    assert.equal((await here.run(['schedule', 'delete', IDENTIFIER, '--yes'])).code, 0)
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [`POST ${ADDRESS}/enable`, `POST /v1/schedules/${SCHEDULE.id}/disable`, `DELETE ${ADDRESS}`],
    )
  })

  test('that are absent or hidden end with 4', async () => {
    await using here = await stage((_, response) => answer(response, 404, {}))
    for (const args of [['show'], ['enable'], ['disable'], ['run'], ['fires'], ['delete', '--yes']]) {
      const { code } = await here.run(['schedule', args[0] ?? '', IDENTIFIER, ...args.slice(1)])
      assert.equal(code, 4, args[0])
    }
  })
})

describe('a run of a schedule now', () => {
  const RUN = '01900000-0000-7000-8000-000000000009'
  const house = (status: string) =>
    stage(({ method, path }, response) => {
      if (method === 'POST') return answer(response, 202, { run_id: RUN, status: 'queued' })
      if (path === `/v1/runs/${RUN}`) return answer(response, 200, { run_id: RUN, status, steps: [] })
      return answer(response, 404, {})
    })

  test('prints its id', async () => {
    await using here = await house('queued')
    const { out, code } = await here.run(['schedule', 'run', IDENTIFIER])
    assert.deepEqual([out, code], [`${RUN}\n`, 0])
    assert.equal(here.api.seen[0]?.path, `${ADDRESS}/run`)
    assert.deepEqual(JSON.parse((await here.run(['schedule', 'run', IDENTIFIER, '--json'])).out), {
      run_id: RUN,
      status: 'queued',
    })
  })

  test('is waited for, and its result is the exit code', async () => {
    await using here = await house('failure')
    const { out, code } = await here.run(['schedule', 'run', IDENTIFIER, '--wait'])
    assert.deepEqual([out, code], [`${RUN}\n`, 10])
  })
})

describe('a preview', () => {
  const PREVIEW = { words: 'At 02:30 AM, Europe/Berlin', timezone: 'Europe/Berlin', spread_known: false }

  test('shows local times, UTC and marks, and says what is not known yet', async () => {
    await using here = await stage((_, response) => answer(response, 200, { ...PREVIEW, instants: OCCURRENCES }))
    const args = ['--cron', '30 2 * * *', '--timezone', 'Europe/Berlin', '--spread', '15m', '--limit', '3']
    const { out, err, code } = await here.run(['schedule', 'preview', ...args])
    assert.equal(code, 0, err)
    assert.match(out, /^when\tAt 02:30 AM, Europe\/Berlin$/m)
    assert.match(out, /^Tue 2026-11-24 02:37:00 \+01:00\t2026-11-24T01:37:00Z\t[^\t]+\tspread$/m)
    assert.match(
      out,
      /^Fri 2026-12-25 02:37:00 \+01:00\t2026-12-25T01:37:00Z\t[^\t]+\tfirst of two, excluded by 2026-12-25$/m,
    )
    assert.match(err, /A saved schedule has a spread and an H of its own/)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      schedule_kind: 'recurring',
      cron_expression: '30 2 * * *',
      run_at: null,
      timezone: 'Europe/Berlin',
      spread: '15m',
      limit: 3,
    })
  })

  test('of a saved schedule needs nothing else, and takes only the timing of a document', async () => {
    await using here = await stage((_, response) => answer(response, 200, { ...PREVIEW, instants: [] }))
    const { err } = await here.run(['schedule', 'preview', IDENTIFIER])
    assert.match(err, /The schedule never fires after that\./)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { schedule: IDENTIFIER, limit: 10 })
    await here.run(['schedule', 'preview', '-f', '-'], { stdin: 'name: a\npath: acme\ncron_expression: H 3 * * *\n' })
    assert.deepEqual(JSON.parse(here.api.seen[1]?.body ?? ''), {
      schedule_kind: 'recurring',
      cron_expression: 'H 3 * * *',
      limit: 10,
    })
    assert.equal((await here.run(['schedule', 'preview'])).code, 2)
    assert.equal((await here.run(['schedule', 'preview', IDENTIFIER, '--limit', '201'])).code, 2)
    assert.equal(here.api.seen.length, 2)
  })

  test('warns of H, and of no word that holds the letter', async () => {
    await using here = await stage((_, response) => answer(response, 200, { ...PREVIEW, instants: [] }))
    assert.match((await here.run(['schedule', 'preview', '--cron', 'H/15 * * * *'])).err, /an H of its own/)
    assert.doesNotMatch((await here.run(['schedule', 'preview', '--cron', '0 3 * * THU'])).err, /an H of its own/)
  })
})

test('the fires of a schedule say what became of each instant, and why', async () => {
  const fire = {
    id: 'f1',
    kind: 'scheduled',
    planned_at: '2026-11-23T01:30:00.000Z',
    nominal_at: '2026-11-23T01:30:00.000Z',
    fired_at: '2026-11-23T03:00:00.000Z',
    outcome: 'missed',
    run_id: null,
    reason: 'The scheduler did not run.',
    missed_count: 1440,
    missed_until: '2026-11-24T01:29:00.000Z',
    backfill_id: null,
  }
  const started = { ...fire, kind: 'backfill', outcome: 'started', run_id: 'r1', reason: null, missed_until: null }
  await using here = await stage((_, response) => answer(response, 200, [fire, started]))
  const args = ['--outcome', 'missed', '--since', '2026-11-20T00:00:00Z', '--until', '2026-11-24T00:00:00Z']
  const { out, code } = await here.run(['schedule', 'fires', IDENTIFIER, ...args])
  assert.equal(code, 0)
  assert.equal(
    out,
    '2026-11-23T01:30:00Z to 2026-11-24T01:29:00Z (1440)\t\tmissed\t\tThe scheduler did not run.\n' +
      '2026-11-23T01:30:00Z\tbackfill\tstarted\tr1\t\n',
  )
  const query = 'outcome=missed&since=2026-11-20T00%3A00%3A00Z&until=2026-11-24T00%3A00%3A00Z&limit=20'
  assert.equal(here.api.seen[0]?.path, `${ADDRESS}/fires?${query}`)
  assert.equal((await here.run(['schedule', 'fires', IDENTIFIER, '--outcome', 'late'])).code, 2)
})
