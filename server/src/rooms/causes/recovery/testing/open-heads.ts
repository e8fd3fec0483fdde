import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { aPushPayload, signDelivery } from '../../../../adapters/forges/gitea/testing.ts'
import { aSecret } from '../../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, SECRET, TEAM } from '../../sources/testing.ts'
import { describePull, type FakePull, type HeadsDouble, startHeads } from './gitea-heads.ts'
import { openRecovery, type RecoveryHouse } from './open-recovery.ts'

export const REPOSITORY = 'acme/widgets'
const TOKEN = 'a-token-that-reads'
const ZERO = '0'.repeat(40)

/** A push, or a pull request, that Gitea sends: now, later, or twice. */
export type Sending = () => Promise<number>

export interface HeadsHouse extends RecoveryHouse {
  readonly gitea: HeadsDouble
  /** The source of Gitea, whose trigger starts a run for each push and each pull request. */
  readonly source: { readonly id: string; readonly url: string; readonly triggerId: string }
  /** The branch is there; its delivery is sent when the answer is called. A null commit removes it. */
  push(after: string | null, branch?: string, repository?: string): Sending
  pull(pull: Omit<FakePull, 'updatedAt'>, action?: 'opened' | 'synchronized'): Sending
  compare(): Promise<void>
  /** Two looks, with the grace between them. */
  settle(): Promise<void>
  /** The commits of runs, by their order. */
  commits(): Promise<readonly string[]>
  made(): Promise<readonly Record<string, unknown>[]>
  /** However often looks come from now on, they make nothing: what is missing was made before. */
  assertRests(): Promise<void>
}

/** A name of a commit: forty times one digit or letter between a and f, or the given digits. */
export const sha = (digits: string) => digits.repeat(40).slice(0, 40)

export async function openHeads(): Promise<HeadsHouse> {
  const gitea = await startHeads()
  const house = await openRecovery()
  const { causes, clock } = house
  const db = causes.kit.database.kysely
  await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reads', value: TOKEN })
  const source = await aConnectedSource(
    causes,
    {
      name: 'of-gitea',
      provider: 'gitea',
      base_url: gitea.url,
      checkout_credential_ref: `secret:${TEAM}/reads`,
    },
    { name: 'of-gitea', repositories: ['acme/*'], events: ['push', 'pull_request'], branches: ['**'] },
  )
  const send = (payload: unknown, event: string): Sending => {
    const delivery = signDelivery(payload, { secret: SECRET, event, deliveryId: randomUUID() })
    return async () => (await deliver(causes, source.url, delivery)).status
  }
  const repositoryOf = (name: string) => {
    const found = gitea.repositories.get(name) ?? { branches: new Map(), pulls: new Map() }
    gitea.repositories.set(name, found)
    return found
  }
  const compare = () => house.run('recovery.compare-heads')
  const settle = async () => {
    await compare()
    await clock.advance(5 * 60_000)
    await compare()
  }
  const made = async () => (await house.list(`/v1/git-webhook-sources/${source.id}/recoveries?limit=100`)).toReversed()
  return {
    ...house,
    gitea,
    source,
    push(after, branch = 'main', repository = REPOSITORY) {
      const { branches } = repositoryOf(repository)
      const before = branches.get(branch) ?? ZERO
      if (after === null) branches.delete(branch)
      else branches.set(branch, after)
      const ref = `refs/heads/${branch}`
      const at = { full_name: repository, clone_url: `${gitea.url}/${repository}.git` }
      return send(aPushPayload({ ref, before, after: after ?? ZERO, repository: at }), 'push')
    },
    pull(given, action = 'opened') {
      const pull = { ...given, updatedAt: clock.now().toISOString() }
      repositoryOf(REPOSITORY).pulls.set(pull.number, pull)
      const { repository, sender } = aPushPayload()
      const told = { action, number: pull.number, pull_request: describePull(REPOSITORY, pull), repository, sender }
      return send(told, 'pull_request')
    },
    compare,
    settle,
    async commits() {
      const rows = await db.selectFrom('runs').select(['id', 'commit_sha']).orderBy('id').execute()
      return rows.map((row) => row.commit_sha ?? '')
    },
    made,
    async assertRests() {
      await settle()
      const before = await made()
      for (let hours = 0; hours < 2; hours++) {
        await settle()
        // Longer than the same head waits.
        await clock.advance(61 * 60_000)
        await settle()
      }
      assert.deepEqual(await made(), before)
    },
    async forget() {
      await house.forget()
      gitea.repositories.clear()
      gitea.answer = undefined
      gitea.asked = []
      for (const table of ['recovery_heads', 'recovery_heard', 'suspected_changes', 'event_starts'] as const) {
        await db.deleteFrom(table).execute()
      }
      for (const table of ['trigger_events', 'pull_request_heads', 'deliveries', 'delivery_keys'] as const) {
        await db.deleteFrom(table).execute()
      }
      await db.deleteFrom('runs').execute()
    },
    async close() {
      await house.close()
      gitea.close()
    },
  }
}
