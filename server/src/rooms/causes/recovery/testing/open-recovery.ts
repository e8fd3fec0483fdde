import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Forge, findForge } from '#adapters/forges'
import type { FailPoint } from '#platform/fail-points'
import { createTestClock, createTestDatabase, type TestClock } from '#platform/testing'
import type { AboveHealth } from '#rooms/causes/sources'
import { signPush } from '../../../../adapters/forges/github/testing.ts'
import { aConnectedSource, type Causes, deliver, openCauses, SECRET, type UpperRooms } from '../../sources/testing.ts'
import { recovery } from '../index.ts'
import { type LogDouble, type Logged, startLog } from './github-log.ts'

interface AnswerRead {
  readonly ids: readonly string[]
  readonly since: Date
}

export interface RecoveryHouse {
  readonly causes: Causes
  readonly github: LogDouble
  readonly clock: TestClock
  /** What looks asked the room below about deliveries that came. */
  readonly reads: AnswerRead[]
  /** The sources that were read of the room below, one after the other. */
  readonly found: string[]
  /** That of the app. */
  readonly source: { readonly id: string; readonly url: string }
  /** Whoever comes by there next dies. */
  dieAt(point: FailPoint): void
  /** A delivery that GitHub sent, to the app's source where nothing else is given; 502: nobody was there. */
  sent(given?: Partial<Logged> & { readonly repository?: string }): Logged
  run(job: string, payload?: unknown): Promise<void>
  /** Looks into all logs. */
  look(): Promise<void>
  /** Every fact that was told is heard. */
  react(): Promise<void>
  /** The answer to the administrator, which is 200. */
  get(path: string): Promise<Record<string, unknown>>
  list(path: string): Promise<readonly Record<string, unknown>[]>
  /** The logs, and what looks stored of them, are as at the beginning. */
  forget(): Promise<void>
  close(): Promise<void>
}

/** The room on the rooms below it, a GitHub that has an app, and the source of this app. */
export async function openRecovery(): Promise<RecoveryHouse> {
  const clock = createTestClock(new Date())
  const dying = new Set<FailPoint>()
  const reads: AnswerRead[] = []
  const found: string[] = []
  const opened: { reads: AnswerRead[]; found: string[]; causes?: Causes; above?: AboveHealth; sourceId?: string } = {
    reads,
    found,
  }
  const github = await startLog(({ to, delivery }) => deliver(causes, to, delivery))
  const failPoints = {
    hit(point: FailPoint) {
      if (dying.delete(point)) throw new Error(`died at ${point}`)
    },
  }
  const above = (): AboveHealth => {
    assert.ok(opened.above)
    return opened.above
  }
  const causes = await openCauses(
    await createTestDatabase(),
    { PROVIDER_HOSTS: '127.0.0.1,github.com' },
    {
      clock,
      failPoints,
      aboveHealth: {
        standingOf: (...asked) => above().standingOf(...asked),
        findMissed: (...asked) => above().findMissed(...asked),
      },
      upper: roomOver(github, clock, opened),
    },
  )
  const db = causes.kit.database.kysely
  const source = await aConnectedSource(causes)
  opened.sourceId = source.id
  const get = async (path: string) => {
    const { status, body, text } = await causes.call('GET', path)
    assert.equal(status, 200, text)
    return body
  }
  const run = async (job: string, payload: unknown = {}) => {
    await causes.jobs.find(({ name }) => name === job)?.run(payload, new AbortController().signal)
  }
  let made = 0
  return {
    causes,
    github,
    clock,
    reads,
    found,
    source,
    dieAt: (point) => void dying.add(point),
    sent({ repository, ...given } = {}) {
      made += 1
      const deliveryId = given.guid ?? randomUUID()
      const after = made.toString(16).padStart(40, '0')
      const named = repository === undefined ? {} : { repository: { full_name: repository } }
      const logged = {
        id: made,
        guid: deliveryId,
        delivered_at: clock.now().toISOString(),
        status_code: 502,
        hook: 'app/hook',
        to: source.url,
        delivery: signPush({ secret: SECRET, after, deliveryId, ...named }),
        ...given,
      }
      github.log.unshift(logged)
      return logged
    },
    run,
    look: () => run('recovery.look-everywhere'),
    async react() {
      const { rows } = await sql<{ payload: unknown }>`
        with taken as (delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
          where task.id = job.task_id and task.identifier = 'facts.react' returning job.payload)
        select payload from taken`.execute(db)
      for (const { payload } of rows) await run('facts.react', payload)
    },
    get,
    async list(path) {
      const body: unknown = await get(path)
      return Array.isArray(body) ? body : []
    },
    async forget() {
      github.forget()
      dying.clear()
      reads.length = 0
      found.length = 0
      await db.deleteFrom('recoveries').execute()
      await db.deleteFrom('recovery_logs').execute()
    },
    async close() {
      await causes.close()
      github.close()
    },
  }
}

function roomOver(
  github: LogDouble,
  clock: TestClock,
  opened: { above?: AboveHealth; readonly sourceId?: string; readonly reads: AnswerRead[]; readonly found: string[] },
): UpperRooms {
  const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const privateKeys = [privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()]
  const forge: Forge | undefined = findForge('github')
  assert.ok(forge)
  return async (kit, doors) => {
    const parts = await recovery.open(kit, {
      ...doors,
      forges: { find: findForge },
      sources: {
        ...doors.sources,
        findCommanded(db, sourceId) {
          opened.found.push(sourceId)
          return doors.sources.findCommanded(db, sourceId)
        },
        findAnswers(db, sourceId, ids, since) {
          opened.reads.push({ ids, since })
          return doors.sources.findAnswers(db, sourceId, ids, since)
        },
      },
      gitApps: {
        ...doors.gitApps,
        listApps: async () => [{ provider: 'github', baseUrl: github.url, sourceId: opened.sourceId ?? null }],
        asApp(_provider, signal, work) {
          const app = { appId: '7', privateKeys, token: undefined }
          return work({ baseUrl: github.url, app, now: clock.now().getTime(), signal }, forge)
        },
      },
    })
    opened.above = parts.door
    return [parts]
  }
}
