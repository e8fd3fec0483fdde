import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { SCHEDULE, SCHEDULE_ID, scheduleStore } from '../testing/schedule-samples.ts'
import { stage } from '../testing/stage.ts'

const CREATE = ['schedule', 'create', 'acme/web/nightly', '--pipeline', 'acme/web/build']

describe('a schedule', () => {
  test('is created from options; the answer is what was understood, and when it fires', async () => {
    await using here = await stage(scheduleStore)
    writeFileSync(join(here.folder.path, 'holidays.ics'), 'BEGIN:VCALENDAR\nEND:VCALENDAR\n')
    const when = ['--cron', '30 2 * * 1-5', '--timezone', 'Europe/Berlin', '--dst', 'skip', '--spread', '15m']
    const unless = ['--exclude-date', '2026-12-25', '--exclude-date', '2026-12-31/2027-01-01']
    const within = ['--calendar', 'holidays.ics', '--not-before', '2026-12-01T00:00:00Z', '--not-after', '']
    const what = ['--scope', 'acme/web/test', '--var', 'LEVEL=full', '--repository', 'acme/shop', '--ref', 'main']
    const late = ['--overlap', 'queue_one', '--misfire', 'all', '--grace', '90s', '--window', '7d']
    const more = ['--run-team', 'acme/ops', '--disabled']
    const { out, err, code } = await here.run([...CREATE, ...when, ...unless, ...within, ...what, ...late, ...more])
    assert.equal(code, 0, err)
    assert.match(err, /^Schedule acme\/web\/nightly is created; it starts acme\/web\/build in acme\/web\/test\.$/m)
    assert.match(out, /^when\tAt 02:30 AM, Monday through Friday, Europe\/Berlin$/m)
    assert.match(out, /^Tue 2026-11-24 02:37:00 \+01:00\t/m)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      name: 'nightly',
      path: 'acme/web',
      pipeline: 'acme/web/build',
      scope: 'acme/web/test',
      run_team_path: 'acme/ops',
      variables: { LEVEL: 'full' },
      repository: 'acme/shop',
      ref: 'main',
      schedule_kind: 'recurring',
      cron_expression: '30 2 * * 1-5',
      run_at: null,
      timezone: 'Europe/Berlin',
      dst_policy: 'skip',
      spread: '15m',
      exclude_dates: ['2026-12-25', '2026-12-31/2027-01-01'],
      calendar: 'BEGIN:VCALENDAR\nEND:VCALENDAR\n',
      not_before: '2026-12-01T00:00:00Z',
      not_after: null,
      overlap_policy: 'queue_one',
      misfire_policy: 'all',
      misfire_grace_seconds: 90,
      misfire_window_seconds: 604_800,
      enabled: false,
    })
    assert.equal(here.api.seen[1]?.path, `/v1/schedules/${SCHEDULE_ID}`)
  })

  test('that fires once is created by a time alone', async () => {
    await using here = await stage(scheduleStore)
    await here.run(['schedule', 'create', 'once', '--team', 'acme', '-p', 'acme/build', '--at', '2027-01-01T02:30'])
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      name: 'once',
      path: 'acme',
      pipeline: 'acme/build',
      schedule_kind: 'one_time',
      run_at: '2027-01-01T02:30',
      cron_expression: null,
    })
  })

  test('is created from a document, over which options win', async () => {
    await using here = await stage(scheduleStore)
    const document = { path: 'acme', name: 'once', pipeline: 'acme/build', run_at: '2027-01-01T02:30:00Z' }
    writeFileSync(join(here.folder.path, 'once.json'), JSON.stringify(document))
    await here.run(['schedule', 'create', '--file', 'once.json'])
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { ...document, schedule_kind: 'one_time' })
    await here.run(['schedule', 'create', 'daily', '--file', 'once.json', '--cron', '@daily'])
    assert.deepEqual(JSON.parse(here.api.seen[2]?.body ?? ''), {
      ...document,
      name: 'daily',
      schedule_kind: 'recurring',
      cron_expression: '@daily',
      run_at: null,
    })
  })

  test('that is disabled says so instead of its instants', async () => {
    await using here = await stage(({ method }, response) => {
      const disabled = { ...SCHEDULE, enabled: false, words: 'At 02:30 AM', upcoming: [], recent_runs: [] }
      answer(response, method === 'POST' ? 201 : 200, disabled)
    })
    const { err } = await here.run([...CREATE, '--cron', '30 2 * * *', '--disabled'])
    assert.match(err, /^The schedule is disabled: `signalbox schedule enable` lets it fire\.$/m)
  })

  test('is changed by what is given; an empty value clears a field', async () => {
    await using here = await stage(scheduleStore)
    const cleared = ['--calendar', '', '--spread', '', '--exclude-date', '', '--repository', '', '--ref', '']
    const { err } = await here.run(['schedule', 'update', 'acme/web/nightly', '--name', 'late', ...cleared])
    assert.match(err, /^Schedule acme\/web\/nightly is changed\.$/m)
    const [patch] = here.api.seen
    assert.deepEqual([patch?.method, patch?.path], ['PATCH', '/v1/schedules/acme%2Fweb%2Fnightly'])
    assert.deepEqual(JSON.parse(patch?.body ?? ''), {
      name: 'late',
      calendar: null,
      spread: null,
      exclude_dates: [],
      repository: null,
      ref: null,
    })
    assert.equal((await here.run(['schedule', 'update', 'acme/web/nightly'])).code, 2)
  })

  test('that lacks something or contradicts itself is not sent', async () => {
    await using here = await stage(scheduleStore)
    const missing = await here.run(['schedule', 'create'])
    assert.equal(missing.code, 2)
    assert.match(missing.err, /A schedule needs a name, --team, --pipeline, --cron or --at\./)
    for (const args of [
      ['--cron', '@daily', '--at', '2027-01-01T00:00:00Z'],
      ['--cron', '@daily', '--grace', '5'],
      ['--cron', '@daily', '--overlap', 'wait'],
      ['--cron', '@daily', '--calendar', 'absent.ics'],
    ]) {
      assert.equal((await here.run([...CREATE, ...args])).code, 2, args.join(' '))
    }
    assert.equal(here.api.seen.length, 0)
  })
})

describe('a refusal', () => {
  const errors = [
    { field: 'cron_expression', message: '"61 * * * *" has no such minute' },
    { field: 'exclude_dates[1]', message: 'there is no 30 February' },
    { field: 'run_team_path', message: 'there is no team acme/ops that you may see' },
  ]
  const detail = `${errors.map(({ field, message }) => `${field}: ${message}`).join('; ')}.`
  const house = () => stage((_, response) => refuse(response, 400, 'schedule.invalid', { detail, errors }))
  const args = [...CREATE, '--cron', '61 * * * *', '--exclude-date', '2026-12-25,2026-02-30']

  test('names the options that a person gave', async () => {
    await using here = await house()
    const { err, code } = await here.run([...args, '--run-team', 'acme/ops'])
    assert.equal(code, 2)
    assert.equal(
      err,
      'error --cron: "61 * * * *" has no such minute; --exclude-date: there is no 30 February; ' +
        '--run-team: there is no team acme/ops that you may see.\n  schedule.invalid (400, request r1)\n',
    )
  })

  test('names a variable, and the option of a value of the wrong form', async () => {
    const wrong = [{ field: 'variables.LEVEL', message: 'is not a variable of acme/web/build' }]
    await using unknown = await stage((_, response) =>
      refuse(response, 400, 'schedule.invalid', { detail: `variables.LEVEL: ${wrong[0]?.message}.`, errors: wrong }),
    )
    const refused = await unknown.run([...args, '--var', 'LEVEL=full'])
    assert.match(refused.err, /^error --var LEVEL: is not a variable of acme\/web\/build\.$/m)
    const late = [{ field: 'misfire_grace_seconds', message: 'must be <= 86400' }]
    await using long = await stage((_, response) =>
      refuse(response, 400, 'invalid_request', { detail: 'misfire_grace_seconds must be <= 86400.', errors: late }),
    )
    const { err } = await long.run([...args, '--grace', '7d'])
    assert.equal(err, 'error --grace must be <= 86400.\n  invalid_request (400, request r1)\n')
  })

  test('names the fields of a document that gave them', async () => {
    await using here = await house()
    const { err } = await here.run([...args, '-f', '-'], { stdin: 'run_team_path: acme/ops\n' })
    assert.match(err, /--cron: .*; run_team_path: there is no team/)
  })

  test('is as it came with --json', async () => {
    await using here = await house()
    const { err } = await here.run([...args, '--json'])
    assert.deepEqual(JSON.parse(err).errors, errors)
  })
})
