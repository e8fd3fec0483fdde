import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { beginRun, endRun } from '../../execution/runs/testing.ts'
import { PIPELINE } from '../sources/testing.ts'
import { Killed, openReports, openShownForge, type ShownForge } from './testing.ts'

const testDatabase = await createTestDatabase()
const { database } = testDatabase
const db = database.kysely
const house = await openReports(testDatabase)
const { causes, clock } = house
after(() => house.close())

const COMMENT = 'reports.comment'
const HEAD = 'b'.repeat(40)
let made = 0
beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await sql`delete from triggers`.execute(db)
  await sql`select pg_notify('triggers_changed', '')`.execute(db)
  causes.triggers.changed()
  house.killAt(undefined)
  made += 1
})

async function open(
  forge: ShownForge,
  trigger: Readonly<Record<string, unknown>> = {},
  labels: readonly string[] = [],
) {
  const sourceId = await house.connect(forge, `sticky ${made}`, { report_comment: true, ...trigger })
  const number = 500 + made
  const runs = await house.openPullRequest(forge, sourceId, { number, head: HEAD, labels })
  return { sourceId, number, run: runs[0] ?? '', place: { sourceId, repository: 'Acme/Widgets', number } }
}

/** Does the jobs of the comment at the time at which the first of them wants to be done. */
async function later(): Promise<void> {
  const { rows } = await sql<{ at: Date }>`select min(run_at) as at from graphile_worker._private_jobs
    where key like 'comment:%'`.execute(db)
  const wait = (rows[0]?.at.getTime() ?? 0) - clock.now().getTime()
  if (wait > 0) await clock.advance(wait)
  await house.work(COMMENT)
}

const jobsOf = async () => {
  const { rows } = await sql<{ key: string; at: Date }>`
    select key, run_at as at from graphile_worker._private_jobs where key like 'comment:%' order by run_at`.execute(db)
  return rows.map(({ key, at }) => [key.split(':').at(-1), Math.round((at.getTime() - clock.now().getTime()) / 1000)])
}

describe('the comment of a pull request', () => {
  test('shows what runs, and is edited in place, once a minute at most', async (t) => {
    const forge = await openShownForge(t)
    const { run, number } = await open(forge)
    await house.work(COMMENT)
    const [comment] = forge.comments
    assert.equal(comment?.number, number)
    assert.match(comment?.body ?? '', /^\[\/\/\]: # \(signalbox:[0-9a-f-]{36}\)\n\n\*\*Signalbox\*\*/)
    assert.ok(
      comment?.body.includes(`| \`${PIPELINE}\` \`acme/web/staging\` | Waits for a runner. | - | \`bbbbbbbbbbbb\` |`),
    )
    assert.ok(comment?.body.includes(`[open](<https://signalbox.example/#/runs/${run}>)`))

    await beginRun(database, causes.runs.progress, run)
    await house.react()
    await endRun(database, causes.runs.progress, run, 'failure')
    await sql`update runs set started_at = finished_at - interval '7 seconds' where id = ${run}`.execute(db)
    await house.react()
    assert.equal((await house.work(COMMENT)).length > 0, true)
    assert.equal(forge.calls.length, 1, 'it waits for its minute')
    await later()
    assert.equal(forge.comments.length, 1)
    assert.match(forge.comments[0]?.body ?? '', /Failed after 7 s\. \| 7 s/)
    const { body } = await causes.call('GET', `/v1/runs/${run}/reports`)
    assert.deepEqual([body[0]?.['kind'], body[0]?.['state']], ['comment', 'written'])
  })

  test('is not written where no rule wants it', async (t) => {
    const forge = await openShownForge(t)
    await open(forge, { report_comment: false })
    assert.deepEqual(await house.work(COMMENT), [])
    assert.deepEqual(forge.comments, [])
  })

  test('says why a rule started nothing, and no more than everybody may know', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await open(forge, { labels: ['deploy'] })
    assert.equal(run, '')
    await house.work(COMMENT)
    assert.match(
      forge.comments[0]?.body ?? '',
      /\| `sticky-\d+` \| `acme\/web\/build` \| `Its condition labels does not hold\.` \|/,
    )
  })

  test('that says what it said is not written again; many changes within a minute are one', async (t) => {
    const forge = await openShownForge(t)
    const { place } = await open(forge)
    await house.work(COMMENT)
    for (let at = 0; at < 100; at++) await causes.reports.refreshComment(db, place)
    await house.work(COMMENT)
    await later()
    await causes.reports.refreshComment(db, place)
    await clock.advance(61_000)
    await house.work(COMMENT)
    assert.equal(forge.calls.length, 1)
  })

  test('of two processes at once is one', async (t) => {
    const forge = await openShownForge(t)
    const { place } = await open(forge)
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    const job = causes.jobs.find(({ name }) => name === COMMENT)
    const payload = { ...place, since: clock.now().toISOString() }
    await Promise.all([1, 2, 3, 4].map(() => job?.run(payload, new AbortController().signal)))
    assert.equal(forge.comments.length, 1)
    assert.deepEqual(
      forge.calls.filter((call) => call.startsWith('POST')),
      [`POST /issues/${place.number}/comments`],
    )
  })

  test('is found again where the answer was lost, or the process died before or after the call', async (t) => {
    for (const how of ['cut', 'reports.before_comment', 'reports.after_comment']) {
      made += 1
      const forge = await openShownForge(t)
      await open(forge)
      if (how === 'cut') {
        forge.faults.push('cut')
        await house.work(COMMENT)
      } else {
        house.killAt(how)
        const job = await sql<{ payload: unknown }>`
          select payload from graphile_worker._private_jobs where key like 'comment:%'`.execute(db)
        await assert.rejects(() => house.work(COMMENT), Killed)
        house.killAt(undefined)
        await causes.kit.jobs.add(db, COMMENT, job.rows[0]?.payload)
      }
      await clock.advance(61_000)
      await house.work(COMMENT)
      await later()
      assert.equal(forge.comments.length, 1, how)
      await sql`delete from graphile_worker._private_jobs`.execute(db)
      await sql`delete from triggers`.execute(db)
      causes.triggers.changed()
    }
  })

  test('that somebody deleted is made once more, and then no more', async (t) => {
    const forge = await openShownForge(t)
    const { run, place } = await open(forge)
    await house.work(COMMENT)
    for (const expected of [1, 0]) {
      forge.deleteComments()
      await causes.reports.answer(place, '1', 'confused', `Not understood, time ${expected}.`)
      await clock.advance(61_000)
      await house.work(COMMENT)
      assert.equal(forge.comments.length, expected)
    }
    const { body } = await causes.call('GET', `/v1/runs/${run}/reports`)
    assert.match(String(body[0]?.['given_up_reason']), /deleted the comment twice/)
  })

  test('looks by itself where its runs stand, ever more seldom', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await open(forge)
    await house.work(COMMENT)
    assert.deepEqual(await jobsOf(), [['look', 120]])
    await later()
    assert.deepEqual(await jobsOf(), [['look', 120]])
    await later()
    assert.deepEqual(await jobsOf(), [['look', 240]])
    await beginRun(database, causes.runs.progress, run)
    await endRun(database, causes.runs.progress, run, 'success')
    await later()
    assert.match(forge.comments[0]?.body ?? '', /Succeeded/)
    assert.deepEqual(await jobsOf(), [])
  })

  test('shows a run that repeats one of its runs in its place', async (t) => {
    const forge = await openShownForge(t)
    const { run } = await open(forge)
    await house.work(COMMENT)
    const answer = await causes.call('POST', `/v1/runs/${run}/rerun`, {})
    const rerun = String(answer.body['run_id'])
    await beginRun(database, causes.runs.progress, rerun)
    await house.react()
    await house.work(COMMENT)
    await later()
    assert.ok(forge.comments[0]?.body.includes(`/#/runs/${rerun}>`))
    assert.ok(!forge.comments[0]?.body.includes(`/#/runs/${run}>`))
  })

  test('that a provider refuses is given up, with the reason; one that fails is tried again', async (t) => {
    const forge = await openShownForge(t)
    const { run, place } = await open(forge)
    forge.faults.push(503, 403)
    await house.work(COMMENT)
    assert.deepEqual(await jobsOf(), [['again', 5]])
    await clock.advance(16_000)
    await house.work(COMMENT)
    assert.deepEqual(await jobsOf(), [])
    const { body } = await causes.call('GET', `/v1/runs/${run}/reports`)
    assert.match(String(body[0]?.['given_up_reason']), /403/)
    // Something newer is tried all the same.
    await causes.reports.refreshComment(db, place)
    await house.work(COMMENT)
    assert.equal(forge.comments.length, 1)
  })
})

describe('an answer to a comment', () => {
  test('is a reaction; with a text the comment of the pull request says it, as nothing but text', async (t) => {
    const forge = await openShownForge(t)
    const { place } = await open(forge)
    assert.deepEqual(await causes.reports.answer(place, '4711', 'seen'), { outcome: 'found', value: null })
    assert.deepEqual(forge.reactions.get(4711), ['eyes'])
    await causes.reports.answer(place, '4711', 'refused', 'There is no pipeline "@all | `x` <img src=y>".')
    assert.deepEqual(forge.reactions.get(4711), ['eyes', '-1'])
    await house.work(COMMENT)
    const said = forge.comments[0]?.body.split('\n').at(-1)
    assert.equal(said, '\u2717 `There is no pipeline "@all \u2502 \'x\' <img src=y>".`')
  })

  test('takes the place of an earlier one to the same comment; the newest five stay', async (t) => {
    const forge = await openShownForge(t)
    const { place } = await open(forge)
    for (let at = 1; at <= 7; at++) await causes.reports.answer(place, `${at}`, 'done', `Answer ${at}.`)
    await causes.reports.answer(place, '6', 'done', 'Another.')
    await house.work(COMMENT)
    const body = forge.comments[0]?.body ?? ''
    assert.deepEqual(body.match(/`(Answer \d|Another)\.`/g), [
      '`Answer 3.`',
      '`Answer 4.`',
      '`Answer 5.`',
      '`Answer 7.`',
      '`Another.`',
    ])
  })
})

test('comments are forgotten with their source, and with the records of deliveries', async (t) => {
  const forge = await openShownForge(t)
  const { sourceId } = await open(forge)
  await house.work(COMMENT)
  const job = (name: string) => causes.jobs.find((one) => one.name === name)
  const kept = async () =>
    (await db.selectFrom('commented_runs').select('run_id').where('source_id', '=', sourceId).execute()).length
  await job('reports.drop-old')?.run(undefined, new AbortController().signal)
  assert.equal(await kept(), 1)
  await job('reports.forget-source')?.run({ sourceId }, new AbortController().signal)
  assert.equal(await kept(), 0)
})
