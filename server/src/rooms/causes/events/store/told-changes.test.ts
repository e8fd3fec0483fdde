import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { lowestIdOf } from '#platform/ids'
import { countRowsRead, createTestDatabase } from '#platform/testing'
import {
  dropSuspected,
  findMade,
  listSuspected,
  madeQuery,
  markMade,
  type SuspectedChange,
  suspect,
} from './suspected.ts'
import { heardQuery, listHeard, listTold, toldQuery } from './told-changes.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 28, 12)
const EVENTS = 3000
const CHANGES = 3000
const SOURCE = randomUUID()
const { database } = await createTestDatabase()
const db = database.kysely

const idAt = (at: number, n: number) => `${lowestIdOf(at).slice(0, 24)}${n.toString(16).padStart(12, '0')}`
const keyOf = (n: number) => n.toString(16).padStart(64, '0')

const aChange = (n: number, given: Partial<SuspectedChange> = {}): SuspectedChange => ({
  id: randomUUID(),
  changeKey: keyOf(n),
  sourceId: SOURCE,
  repository: 'Acme/Widgets',
  ref: `refs/heads/b${n}`,
  pullRequest: null,
  before: null,
  head: 'b'.repeat(40),
  headAt: null,
  notedAt: new Date(NOW - DAY_MS),
  ...given,
})

describe('a source with many events', () => {
  before(async () => {
    for (const day of [0, 1, 2]) {
      const at = NOW - day * DAY_MS
      await sql`select ensure_day_partition('trigger_events', ${new Date(at).toISOString().slice(0, 10)}::date)`.execute(
        db,
      )
      await sql`
        insert into trigger_events (id, kind, action, provider, repository, source_id, delivery_record_id, ref, commit_sha,
          before_sha, received_at, result)
        select (${lowestIdOf(at).slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid, 'push', 'updated', 'gitea',
          'acme/r' || n % 300, ${SOURCE}, ${SOURCE}, 'refs/heads/main', lpad(to_hex(n), 40, 'b'), null, ${new Date(at)},
          'ignored'
        from generate_series(1, ${EVENTS}::integer) as n`.execute(db)
    }
    await sql`analyze trigger_events`.execute(db)
  })

  test('is asked what one repository told by its own events', async () => {
    const asked = { sourceId: SOURCE, repository: 'ACME/R7', since: new Date(NOW - DAY_MS), kinds: ['push'] }
    const told = await listTold(db, asked)
    assert.equal(told.length, (2 * EVENTS) / 300)
    assert.deepEqual(
      told.map(({ eventId }) => eventId),
      told.map(({ eventId }) => eventId).toSorted(),
    )
    const read = await countRowsRead(db, toldQuery(asked))
    assert.ok(read <= 6 * told.length, `${read} rows were read for ${told.length} events`)
  })

  test('is read on from one event to the next, a batch at a time', async () => {
    const after = idAt(NOW, EVENTS - 10)
    const { repositories, lastEventId } = await listHeard(db, after, 100)
    assert.deepEqual([repositories.length, lastEventId], [10, idAt(NOW, EVENTS)])
    const read = await countRowsRead(db, heardQuery(idAt(NOW - DAY_MS, 1), 100))
    assert.ok(read <= 1500, `${read} rows were read for a batch of 100`)
  })
})

describe('a change that nobody told of', () => {
  test('is one row while it is open, keeps its first times, and is new with another head', async () => {
    const at = (minutes: number) => new Date(NOW + minutes * 60_000)
    await suspect(db, [aChange(1)], at(0))
    await suspect(db, [aChange(1)], at(5))
    const times = async () => {
      const [one, ...more] = await listSuspected(db, SOURCE, 'acme/widgets')
      assert.equal(more.length, 0)
      return [one?.headSha.slice(0, 1), one?.suspectedAt, one?.since]
    }
    assert.deepEqual(await times(), ['b', at(0), at(0)])
    await suspect(db, [aChange(1, { head: 'c'.repeat(40) })], at(6))
    assert.deepEqual(await times(), ['c', at(6), at(0)])
  })

  test('is made once for each note of the head before, whatever two looks do', async () => {
    const [first] = await listSuspected(db, SOURCE, 'acme/widgets')
    assert.ok(first)
    const make = (id: string) =>
      database.transaction((tx) =>
        markMade(tx, id, { eventId: randomUUID(), deliveryRecordId: randomUUID(), madeAt: new Date(NOW) }),
      )
    await make(first.id)
    const again = aChange(1, { head: first.headSha })
    await suspect(db, [again], new Date(NOW))
    await assert.rejects(make(again.id), /suspected_changes_once/)
    await dropSuspected(db, [again.id])
    const later = aChange(1, { head: first.headSha, notedAt: new Date(NOW) })
    await suspect(db, [later], new Date(NOW))
    await make(later.id)
    assert.equal((await findMade(db, [keyOf(1)], new Date(NOW - 1))).length, 2)
  })

  test('is found by its key among many', async () => {
    await sql`
      insert into suspected_changes (id, change_key, source_id, repository, ref, head_sha, noted_at, suspected_at, since,
        made_at, made_event_id, made_delivery_id)
      select gen_random_uuid(), decode('f' || lpad(to_hex(n), 63, '0'), 'hex'), ${SOURCE}, 'acme/widgets', 'refs/heads/main', 'b',
        now(), now(), now(), now(), gen_random_uuid(), gen_random_uuid()
      from generate_series(1, ${CHANGES}::integer) as n`.execute(db)
    await sql`analyze suspected_changes`.execute(db)
    const keys = [7, 8].map((n) => `f${n.toString(16).padStart(63, '0')}`)
    const read = await countRowsRead(db, madeQuery(keys, new Date(NOW - DAY_MS)))
    assert.ok(read <= 20, `${read} rows were read for two keys`)
  })
})
