import type { RerunInput, RunStart } from '@signalbox/contracts/runs'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Reuse } from '@signalbox/pipeline/status'
import type { Database, Queryable, Tx } from '#platform/database'
import type { Caller, RequestOrigin } from '#platform/http'
import type { Means, QueueingKit } from '../means.ts'
import type { DryOther, DryRun } from '../rules/dry-run.ts'
import { listAttempts } from '../store/attempts.ts'
import { findRun } from '../store/list-runs.ts'
import type { DetailRow } from '../store/run-columns.ts'
import { prepareCancel } from './cancel-run.ts'
import { judgeQueue } from './judge-queue.ts'
import { prepareRerun } from './rerun-run.ts'
import { prepareStart } from './start-run.ts'

// What a write would do. The real write is done in a transaction that is rolled back, so the answer cannot differ from it.

/** With the whole row of the run, as it would be then. */
export interface TriedRun extends DryRun {
  readonly run: DetailRow
}

/** As `startRun`, without a trace. Throws what it throws. */
export async function tryStart(
  means: Means,
  origin: RequestOrigin,
  pipeline: string,
  input: RunStart,
): Promise<TriedRun> {
  const queue = await prepareStart(means, origin, pipeline, input)
  return await tryNewRun(means, origin.caller, async (tx, kit) => ({
    action: 'start',
    id: (await queue(tx, kit)).id,
    reuse: NOTHING,
  }))
}

/** As `rerunRun`, without a trace. Throws what it throws. */
export async function tryRerun(
  means: Means,
  origin: RequestOrigin,
  id: string,
  wish: NonNullable<RerunInput>,
): Promise<TriedRun> {
  const { queue, reuse } = await prepareRerun(means, origin, id, wish)
  return await tryNewRun(means, origin.caller, async (tx, kit) => ({
    action: 'rerun',
    id: await queue(tx, kit),
    reuse,
  }))
}

/** As `cancelRun`, without a trace. Throws what it throws. */
export async function tryCancel(
  means: Means,
  origin: RequestOrigin,
  id: string,
  reason: string | undefined,
): Promise<TriedRun> {
  const { run, cancel } = await prepareCancel(means, origin, id, reason)
  const db = means.database.kysely
  const attempts = await listAttempts(db, id)
  const requests = await means.above.readRequests(db, id, origin.caller)
  const after = await tryOut(means, async (tx, kit) => (await cancel(tx, kit)).after)
  return {
    ...NO_VERDICT,
    action: 'cancel',
    run: { ...run, status: after.result?.status ?? run.status, reason: after.result?.reason ?? run.reason },
    before: run,
    graph: undefined,
    isProtected: await touchesProtected(means, db, run, undefined),
    inHand: attempts.filter(({ status }) => status === 'leased').length,
    children: attempts.flatMap(({ status, childRunId }) => (status === 'child' && childRunId ? [childRunId] : [])),
    waitingApprovals: requests.filter(({ status }) => status === 'waiting').map(({ step }) => step),
  }
}

const NOTHING: Reuse = new Map()

const NO_VERDICT = {
  others: [],
  endsHidden: false,
  reuse: NOTHING,
  violation: null,
  items: 0,
  isUnderEmergency: false,
  noRunner: false,
  inHand: 0,
  children: [],
  waitingApprovals: [],
} as const

interface Queued {
  readonly action: 'start' | 'rerun'
  readonly id: string
  readonly reuse: Reuse
}

async function tryNewRun(
  means: Means,
  caller: Caller,
  queue: (tx: Tx, kit: QueueingKit) => Promise<Queued>,
): Promise<TriedRun> {
  const { result, others } = await tryOut(means, async (tx, kit) => {
    const queued = await queue(tx, kit)
    const run = await findRun(tx, queued.id)
    if (!run) throw new Error('a queued run is in its transaction')
    return { ...queued, run }
  })
  const { action, run, reuse } = result
  const db = means.database.kysely
  const graph = await means.pipelines.getGraph(db, run.pipeline_version_id)
  const seen = others.filter(({ id, teamPath }) => id !== run.id && caller.can('run.read', teamPath))
  const hidden = others.filter(({ id, teamPath }) => id !== run.id && !caller.can('run.read', teamPath))
  return {
    ...NO_VERDICT,
    action,
    run,
    before: undefined,
    graph,
    reuse,
    others: seen,
    endsHidden: hidden.length > 0,
    isProtected: await touchesProtected(means, db, run, graph),
    ...(await judgeBegin(means, db, run)),
  }
}

/** What would be decided when it begins, as things stand now. */
async function judgeBegin(means: Means, db: Queryable, run: DetailRow) {
  const { pins, violation } = (await means.knowledge.snapshot()).judge(
    {
      pipeline: run.pipeline_identifier,
      teamPath: run.team_path,
      scope: run.scope,
      initiator: { kind: run.initiator_kind, name: run.initiator_name },
      cause: run.cause,
      repository: run.repository,
      branch: run.branch,
      untrusted: run.untrusted,
      variables: run.variables,
    },
    { at: 'run' },
  )
  const isUnderEmergency = (await means.knowledge.snapshot()).emergencyOn(run.scope) !== undefined
  const { eligible } = await judgeQueue(means, db, run)
  return { violation, items: pins.length, isUnderEmergency, noRunner: eligible.length === 0 && !isUnderEmergency }
}

/** A scope that is gone may have been protected. */
async function touchesProtected(
  means: Means,
  db: Queryable,
  run: DetailRow,
  graph: Graph | undefined,
): Promise<boolean> {
  const scopes = new Set([run.scope, ...(graph?.steps ?? []).flatMap(({ scope }) => scope ?? [])])
  for (const scope of scopes) {
    if ((await means.teams.resolveScope(db, scope))?.protected !== false) return true
  }
  return false
}

interface TriedOut<T> {
  readonly result: T
  /** Runs that it would have ended. */
  readonly others: readonly DryOther[]
}

/** Does the work in a transaction that is rolled back. Nobody is told, nothing is counted. */
async function tryOut<T>(means: Means, work: (tx: Tx, kit: QueueingKit) => Promise<T>): Promise<TriedOut<T>> {
  return await rolledBack(means.database, async (tx) => {
    const others = new Map<string, DryOther>()
    const kit: QueueingKit = {
      ...means,
      observe: () => undefined,
      decided(runs, changes) {
        for (const { id, status, teamPath } of runs) {
          const change = changes.find((each) => each.id === id)
          if (change?.ends !== undefined) others.set(id, { id, status, teamPath, becomes: 'canceled' })
          else if (change?.cancels !== undefined) others.set(id, { id, status, teamPath, becomes: 'canceling' })
        }
      },
    }
    const result = await work(tx, kit)
    return { result, others: [...others.values()] }
  })
}

/** Rolls a transaction back that has done its work. */
class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

async function rolledBack<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  let done: { readonly value: T } | undefined
  try {
    await database.transaction(async (tx) => {
      done = { value: await work(tx) }
      throw new RolledBack('a dry run')
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  if (!done) throw new Error('a dry run ends by rolling back')
  return done.value
}
