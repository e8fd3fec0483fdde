import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { migrate } from '#platform/database'
import { createIds } from '#platform/ids'
import { createEmptyTestDatabase } from '#platform/testing'

const DAY_MS = 86_400_000
const MIGRATIONS = join(import.meta.dirname, '../../../../migrations')

const url = await createEmptyTestDatabase()

/** An installation as it was before sources had an address and deliveries lay in days. */
describe('a database that holds sources and deliveries already', () => {
  const ids = [200, 40, 1, 0].map((days) => createIds(() => Date.now() - days * DAY_MS).next())
  const sourceId = randomUUID()
  const silentId = randomUUID()
  let client: pg.Client
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
    const older = (await readdir(MIGRATIONS)).filter((name) => name < '202611220920')
    for (const name of older) await cp(join(MIGRATIONS, name), join(folder, name))
    await migrate(url, { directory: folder })
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`insert into teams (id, path, name, created_at, updated_at)
      values ('${randomUUID()}', 'acme', 'acme', now(), now())`)
    for (const [id, name] of [
      [sourceId, 'written'],
      [silentId, 'silent'],
    ]) {
      await client.query(
        `insert into webhook_sources (id, name, provider, enabled, team_path, visibility, auth_mode, credential_ref,
           checkout_credential_ref, repository_allowlist, rate_limit_per_minute, acknowledge_unmapped, created_at, updated_at)
         values ($1, $2, 'github', true, 'acme', 'private', 'signature', 'secret:acme/hook', 'secret:acme/read',
           '{acme/*}', 600, false, now(), now())`,
        [id, name],
      )
    }
    // From one generator: only those of the same one are in order within a millisecond.
    const auditIds = createIds(Date.now)
    for (const actor of ['ada', 'grace']) {
      await client.query(
        `insert into audit_records (id, occurred_at, actor_kind, actor_id, actor_name, action, resource_kind, resource_id,
           team_path, address, request_id)
         values ($1, now(), 'user', $2, $2, 'webhook_source.updated', 'webhook_source', $3, 'acme', '', '')`,
        [auditIds.next(), actor, sourceId],
      )
    }
    for (const id of ids) {
      await client.query(
        `insert into deliveries (id, source_id, received_at, event_type, result, verification, status_code, reason,
           run_ids, duration_ms, payload_bytes, trace)
         values ($1, $2, now(), 'star', 'unprocessable', 'verified', 422, 'No.', '{}', 1, 2, '{}')`,
        [id, sourceId],
      )
      await client.query(`insert into delivery_payloads values ($1, $2, now(), 'x')`, [id, sourceId])
      await client.query(
        `insert into trigger_events (id, kind, provider, repository, received_at) values ($1, 'push', 'github', 'acme/x', now())`,
        [id],
      )
    }
    await migrate(url)
  })
  after(async () => {
    await client.end()
    await rm(folder, { recursive: true })
  })

  test('keeps each row in its day; whatever its age', async () => {
    for (const table of ['deliveries', 'delivery_payloads', 'trigger_events']) {
      const { rows } = await client.query(`select id, tableoid::regclass::text as place from ${table} order by id`)
      assert.deepEqual(
        rows.map((row) => row.id),
        ids,
      )
      const day = (id: string) => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
      assert.deepEqual(
        rows.map((row) => row.place),
        ids.map((id) => `${table}_${day(id).slice(0, 10).replaceAll('-', '')}`),
      )
    }
    const { rows } = await client.query('select unusable, replay_of from deliveries')
    assert.ok(rows.every((row) => row.unusable === true && row.replay_of === null))
  })

  test('names as owner who wrote a source last, where that is on record; reads and tells nothing by itself', async () => {
    const { rows } = await client.query(
      'select name, owner_name, base_url, read_repository, report_status from webhook_sources order by name',
    )
    const rest = { base_url: null, read_repository: false, report_status: false }
    assert.deepEqual(rows, [
      { name: 'silent', owner_name: null, ...rest },
      { name: 'written', owner_name: 'grace', ...rest },
    ])
  })
})
