import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { signPush } from './adapters/forges/github/testing.ts'
import { isLockTimeout } from './platform/database/errors.ts'
import { claimAnswersSealedBefore, insertFlow, keepAnswer, lockFlow } from './rooms/catalog/git-apps/store/flows.ts'
import { shareRevision } from './rooms/catalog/knowledge/store/copied.ts'
import * as emergencies from './rooms/catalog/knowledge/store/emergencies.ts'
import * as items from './rooms/catalog/knowledge/store/items.ts'
import { lockPipeline } from './rooms/catalog/pipelines/store/pipelines.ts'
import { lockProfile } from './rooms/catalog/profiles/store.ts'
import { lockEnrollmentByToken } from './rooms/catalog/runners/store/enrollments.ts'
import { lockRunner } from './rooms/catalog/runners/store/runners.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { lockRepository } from './rooms/causes/overrides/store.ts'
import { lockStatus as lockCommitStatus } from './rooms/causes/reports/store/commit-statuses.ts'
import { lockOutcome } from './rooms/causes/sources/store/complete.ts'
import { lockSource } from './rooms/causes/sources/store/sources.ts'
import { lockTrigger } from './rooms/causes/triggers/store/triggers.ts'
import { lockRequest } from './rooms/execution/approvals/store/requests.ts'
import { dropExpired } from './rooms/execution/artifacts/store/artifacts.ts'
import * as blobs from './rooms/execution/artifacts/store/blobs.ts'
import { dropUnused } from './rooms/execution/artifacts/store/cache.ts'
import { loosenObjects, takeLooseObjects } from './rooms/execution/artifacts/store/loose-objects.ts'
import { lockTeam as lockStorage } from './rooms/execution/artifacts/store/quotas.ts'
import { lockRows } from './rooms/execution/logs/store/packing.ts'
import { anAttempt } from './rooms/execution/logs/testing.ts'
import { lockHeld } from './rooms/execution/runs/store/approvals.ts'
import { lockExpired, lockWaiting } from './rooms/execution/runs/store/attempts.ts'
import { lockStatus } from './rooms/execution/runs/store/cancel.ts'
import * as claims from './rooms/execution/runs/store/claims.ts'
import { lockPending } from './rooms/execution/runs/store/final-outputs.ts'
import { lockRevision } from './rooms/foundation/access/store/snapshot.ts'
import { lockUser } from './rooms/foundation/access/store/users.ts'
import { aMember, aUser } from './rooms/foundation/access/testing.ts'
import { claimSealedBefore, lockSecret } from './rooms/foundation/secrets/store.ts'
import { lockEnvironment, lockTeam } from './rooms/foundation/teams/store.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// Each statement that locks, by itself: whoever comes second waits, or passes over what the first one holds.

const { kit, database, db, http, make } = await openTestHouse()
const { token } = await aMember(db, 'root', 'administrator', '/')
await anEnvironment(db, 'acme/test')
const teamId = await aTeam(db, 'acme')
const userId = await aUser(db, 'ada')
const post = (url: string, body: object): Promise<string> => make(token, 'POST', url, body)

const secret = await post('/v1/secrets', { team_path: 'acme', name: 'hook', value: 'the-value-of-hook' })
const profile = await post('/v1/profiles', { team_path: 'acme', name: 'host', executor: 'host' })
const document = 'name: build\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
const pipeline = await post('/v1/pipelines', { team_path: 'acme', document })
const rule = { team_path: 'acme', name: 'rule', kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.' }
const item = await post('/v1/knowledge', rule)
const source = await post('/v1/git-webhook-sources', {
  name: 'acme-github',
  provider: 'github',
  team_path: 'acme',
  credential_ref: 'secret:acme/hook',
  repository_allowlist: ['acme/*'],
})
const trigger = await post('/v1/triggers', {
  team_path: 'acme',
  name: 'on-push',
  repositories: ['acme/widgets'],
  events: ['push'],
  pipeline: 'acme/build',
  scope: 'acme/test',
})
const run = await post('/v1/pipelines/acme%2Fbuild/runs', { scope: 'acme/test' })
const emergency = await post('/v1/emergencies', { scope: 'acme/test', reason: 'Smoke.' })
await make(token, 'POST', `/v1/emergencies/${emergency}/lift`, {})
const { id: runner } = await aRunner(db)
const { rows: enrollments } = await sql<{ digest: Buffer }>`
  select token_sha256 as digest from runner_enrollments`.execute(db)
const attempt = await anAttempt(kit)
await sql`update attempts set status = 'leased', fence = 1, runner_id = ${runner}, lease_expires_at = now(), leased_at = now()
  where id = ${attempt.id}`.execute(db)
await sql`update runs set status = 'success', started_at = now(), finished_at = now(),
  final_output_status = 'pending' where id = ${attempt.runId}`.execute(db)
const waiting = await anAttempt(kit)
const sha256 = randomBytes(32).toString('hex')
const long = new Date(0)
const content = { teamPath: 'acme', size: 1, purpose: 'artifact', attemptId: attempt.id, at: long } as const
const complete = await blobs.openBlob(db, { ...content, id: kit.ids.next(), sha256 })
await database.transaction((tx) => blobs.completeBlob(tx, complete.id, long))
const incomplete = await blobs.openBlob(db, { ...content, id: kit.ids.next(), sha256: 'b'.repeat(64) })
await database.transaction((tx) => loosenObjects(tx, ['an-object'], long))
const { rows: lanes } = await sql<{ queued: string; waiting: string }>`
  select runs.lane as queued, (select lane from attempts where id = ${waiting.id}) as waiting
  from runs where id = ${run}`.execute(db)
const lane = lanes[0] ?? { queued: '', waiting: '' }
const inLane = { lanes: [lane.queued], limit: 10, only: undefined, except: [] }
const place = { sourceId: source, repository: 'acme/widgets', commitSha: 'a'.repeat(40), context: 'build' }
await database.transaction((tx) => lockCommitStatus(tx, place, run))

const { headers, body } = signPush({ secret: 'the-value-of-hook' })
await http.app.inject({ method: 'POST', url: `/v1/git/webhooks/${source}`, headers, payload: body })
const { id: delivery } = await db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow()
const request = kit.ids.next()
await sql`insert into approval_requests (id, run_id, step, team_path, pipeline_identifier, scope, initiator_kind,
    initiator_id, initiator_name, pipeline_version_id, approvers, required, allow_self, fields, status, requested_at,
    deadline_at)
  select ${request}, id, 'ask', team_path, pipeline_identifier, scope, initiator_kind, initiator_id, initiator_name,
    pipeline_version_id, array['role:owner'], 1, false, '[]', 'waiting', now(), now() from runs where id = ${run}`.execute(
  db,
)
await sql`insert into artifacts (id, run_id, attempt_id, step, task, name, team_path, blob_id, files, size, created_at,
    expires_at)
  values (${kit.ids.next()}, ${attempt.runId}, ${attempt.id}, 's', 't', 'old', 'acme', ${complete.id}, 1, 1, now(),
    ${long})`.execute(db)
await sql`insert into cache_entries (id, team_path, namespace, key, blob_id, size, created_at, used_at)
  values (${kit.ids.next()}, 'acme', 'trusted', 'old', ${complete.id}, 1, now(), ${long})`.execute(db)

const state = randomBytes(32)
await insertFlow(db, {
  stateSha256: state,
  flow: 'register',
  provider: 'github',
  starterKind: 'user',
  starterId: userId,
  sessionId: null,
  document: {},
  sourceId: kit.ids.next(),
  createdAt: long,
  expiresAt: long,
  consumedAt: long,
})
await keepAnswer(db, { stateSha256: state, exchanged: randomBytes(32), keyVersion: 1 })

type Locking = readonly [what: string, lock: (tx: Tx) => Promise<unknown>]

const WAITING: readonly Locking[] = [
  ['a team', (tx) => lockTeam(tx, teamId)],
  ['an environment', (tx) => lockEnvironment(tx, teamId, 'test')],
  ['a secret', (tx) => lockSecret(tx, secret)],
  ['a user', (tx) => lockUser(tx, userId)],
  ['who may do what', (tx) => lockRevision(tx)],
  ['a profile', (tx) => lockProfile(tx, profile)],
  ['a pipeline', (tx) => lockPipeline(tx, pipeline)],
  ['an item of knowledge', (tx) => items.lockItem(tx, item)],
  ['an emergency', (tx) => emergencies.lockEmergency(tx, emergency)],
  ['a runner', (tx) => lockRunner(tx, runner)],
  ['an enrolment', (tx) => lockEnrollmentByToken(tx, enrollments[0]?.digest ?? Buffer.alloc(0))],
  ['a source', (tx) => lockSource(tx, source)],
  ['a registration', (tx) => lockFlow(tx, state)],
  ['a trigger', (tx) => lockTrigger(tx, trigger)],
  ['the overrides of a repository', (tx) => lockRepository(tx, { repoOwner: 'Acme', repoName: 'widgets' })],
  ['a commit status', (tx) => lockCommitStatus(tx, place, run)],
  ['a run that is canceled', (tx) => lockStatus(tx, run)],
  ['a run that is approved', (tx) => lockHeld(tx, run)],
  ['a run whose outputs are made', (tx) => lockPending(tx, attempt.runId)],
  ['an attempt past its lease', (tx) => lockExpired(tx, [attempt.id], new Date())],
  ['an attempt that waits for the runner of its step', (tx) => lockWaiting(tx, [waiting.id])],
  ['what a team stores', (tx) => lockStorage(tx, 'acme')],
  ['an archive that is not complete', (tx) => blobs.lockIncomplete(tx, incomplete.id)],
  ['a delivery', (tx) => lockOutcome(tx, delivery)],
  ['an approval', (tx) => lockRequest(tx, request)],
  ['the rows of a log', (tx) => lockRows(tx, attempt.id)],
]

/** The second one changes what the first one only reads. */
const SHARED: readonly (readonly [...Locking, change: (tx: Tx) => Promise<unknown>])[] = [
  ['what is known', shareRevision, (tx) => sql`update knowledge_revision set revision = revision + 1`.execute(tx)],
  [
    'a complete archive',
    (tx) => blobs.lockComplete(tx, 'acme', sha256),
    (tx) => sql`delete from blobs where id = ${complete.id}`.execute(tx),
  ],
]

/** The second one gets nothing, at once. */
const PASSING: readonly (readonly [what: string, claim: (tx: Tx) => Promise<number>])[] = [
  ['queued runs of a lane', async (tx) => (await claims.lockAlone(tx, inLane)).rows.length],
  ['queued runs by their turn', async (tx) => (await claims.lockQueued(tx, [[run]], 1)).length],
  ['one queued run', async (tx) => (await claims.lockOneQueued(tx, [lane.queued], run)).length],
  ['attempts that wait', async (tx) => (await claims.claimWaiting(tx, { ...inLane, lanes: [lane.waiting] })).length],
  [
    'attempts that wait, of one run',
    async (tx) => (await claims.claimWaiting(tx, { ...inLane, lanes: [lane.waiting], only: waiting.runId })).length,
  ],
  ['secrets of an older key', async (tx) => (await claimSealedBefore(tx, 2, undefined, 10)).length],
  ['answers to registrations of an older key', async (tx) => (await claimAnswersSealedBefore(tx, 2)).length],
  ['archives that nobody uses', async (tx) => (await blobs.takeUnused(tx, new Date(), 10)).length],
  ['artifacts whose time is over', (tx) => dropExpired(tx, new Date(), 10)],
  ['cache entries that nobody uses', (tx) => dropUnused(tx, new Date(), 10)],
  ['objects that nobody names', async (tx) => (await takeLooseObjects(tx, new Date(), 10)).length],
]

/** Works in two transactions: the first has done its part and has not ended. */
async function whileHeld(first: (tx: Tx) => Promise<unknown>, then: () => Promise<void>): Promise<void> {
  await assert.rejects(
    database.transaction(async (tx) => {
      await first(tx)
      await then()
      throw new Undone()
    }),
    Undone,
  )
}

class Undone extends Error {}

/** In a transaction that waits for a lock for a moment only, and changes nothing. */
async function briefly(work: (tx: Tx) => Promise<void>): Promise<void> {
  await database
    .transaction(async (tx) => {
      await sql`set local lock_timeout = '200ms'`.execute(tx)
      await work(tx)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
}

describe('whoever comes second waits for', () => {
  for (const [what, lock] of WAITING) {
    test(what, () =>
      whileHeld(lock, () =>
        assert.rejects(
          briefly(async (tx) => void (await lock(tx))),
          isLockTimeout,
        ),
      ),
    )
  }
  for (const [what, lock, change] of SHARED) {
    test(what, () =>
      whileHeld(lock, async () => {
        await briefly(async (tx) => void (await lock(tx)))
        await assert.rejects(
          briefly(async (tx) => void (await change(tx))),
          isLockTimeout,
        )
      }),
    )
  }
})

describe('whoever comes second passes over', () => {
  for (const [what, claim] of PASSING) {
    test(what, () =>
      whileHeld(
        async (tx) => assert.ok((await claim(tx)) > 0, 'there is one'),
        () => briefly(async (tx) => assert.equal(await claim(tx), 0)),
      ),
    )
  }
})
