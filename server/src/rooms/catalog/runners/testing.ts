import { createToken } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import type { RunnerState } from './rules/index.ts'
import * as store from './store/index.ts'

const ids = createIds(Date.now)

export interface TestRunner {
  readonly name?: string
  readonly teamPath?: string
  readonly scopes?: readonly string[]
  readonly labels?: readonly string[]
  readonly executors?: readonly string[]
  readonly capacity?: number
}

/** Stores an enrolled runner that never connected; by default one of the platform that serves every scope on its host. */
export async function aRunner(
  db: Queryable,
  runner: TestRunner = {},
): Promise<{ readonly id: string; readonly credential: string }> {
  const at = new Date()
  const enrollment: store.EnrollmentRow = {
    id: ids.next(),
    teamPath: runner.teamPath ?? '/',
    scopes: runner.scopes ?? ['**'],
    labels: runner.labels ?? [],
    expiresAt: new Date(at.getTime() + 60_000),
    usedAt: null,
    createdBy: 'tester',
    createdAt: at,
  }
  await store.insertEnrollment(db, enrollment, createToken('runner').sha256)
  await store.markEnrollmentUsed(db, enrollment.id, at)
  const { token: credential, sha256: credentialSha256 } = createToken('runner')
  const id = ids.next()
  const hello = {
    version: '0.1.0',
    capacity: runner.capacity ?? 4,
    labels: [],
    executors: runner.executors ?? ['host'],
  }
  await store.insertRunner(db, { id, enrollment, name: runner.name ?? 'box', hello, credentialSha256, at })
  return { id, credential }
}

/** A runner that can take anything that wants a host. */
export function aRunnerState(state: Partial<RunnerState> = {}): RunnerState {
  return {
    id: ids.next(),
    name: 'box',
    teamPath: '/',
    serves: () => true,
    executors: ['host'],
    labels: new Set(),
    enabled: true,
    draining: false,
    reachable: true,
    lastSeenAt: new Date('2026-11-21T09:00:00.000Z'),
    free: 1,
    ...state,
  }
}
