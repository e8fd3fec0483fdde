import type { ExternalFireAnswer } from '@signalbox/contracts/external-triggers'
import type { Owner } from '@signalbox/contracts/http'
import type { Tx } from '#platform/database'
import { type Answer, answer, type Caller, type KeyHolder, ownerOf, readIdempotencyKey } from '#platform/http'
import { externalTriggerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type ExternalTrigger, noteFire, noteRefusal } from '../store.ts'
import type { Sender } from './identify-sender.ts'
import { judgeFire } from './judge-fire.ts'
import { identifierOf } from './present-external-trigger.ts'

export interface FireRequest {
  /** Who fires which trigger; asked again where somebody wrote the trigger meanwhile. */
  readonly identify: () => Promise<Sender>
  readonly variables: Readonly<Record<string, string>>
  readonly address: string
  readonly idempotencyKey: string | string[] | undefined
  readonly requestId: string
}

type Fired = Answer<202, ExternalFireAnswer>
type Judged = Awaited<ReturnType<typeof judgeFire>>

/** A key is of the trigger or the caller, by whichever address it comes. */
const ROUTE = 'POST /v1/external-triggers/:id/fire'
const EMPTY = 'No repository: tasks start in an empty folder.'

/** Somebody wrote the trigger after it was judged: it is judged anew. */
class ChangedMeanwhile extends Error {}

/**
 * Starts its run: on behalf of the owner for whoever knows the secret, else of the caller. With an Idempotency-Key at
 * most one, of which every repetition hears.
 */
export async function fireExternalTrigger(means: Means, request: FireRequest): Promise<Fired> {
  for (;;) {
    const sender = await request.identify()
    const judged = await admit(means, sender, request.variables)
    try {
      return await fireOnce(means, request, sender, judged)
    } catch (error) {
      if (error instanceof ChangedMeanwhile) continue
      await keepRefusal(means, sender, judged, error)
      throw error
    }
  }
}

/**
 * Counts the fire against the rate of the trigger and judges it. Who may read the trigger but not fire it is refused before
 * that: they must not use up what is there for others.
 */
async function admit(means: Means, sender: Sender, variables: FireRequest['variables']): Promise<Judged> {
  const early = sender.caller && (await judgeFire(means, sender, variables))
  if (early && 'refused' in early && early.refused.isDenied) throw early.refused.problem
  requireRate(means, sender.trigger)
  requireEnabled(sender.trigger)
  return early ?? judgeFire(means, sender, variables)
}

/** One transaction: the answer to a key, the run, its audit record, and what the trigger says of its last fire. */
async function fireOnce(means: Means, request: FireRequest, sender: Sender, judged: Judged): Promise<Fired> {
  const key = readIdempotencyKey(request.idempotencyKey)
  const isOver = 'refused' in judged && (key === undefined || judged.refused.isDenied)
  if (isOver) throw judged.refused.problem
  const work = (tx: Tx): Promise<Answer> => {
    const start = () => startRun(means, tx, request, { sender, judged })
    if (key === undefined) return start()
    const { id } = sender.trigger
    const content = [id, request.variables]
    const write = { route: ROUTE, key, content, caller: holderOf(sender), isSecret: false }
    return means.idempotency.onceWithin(tx, write, start)
  }
  const done = await means.database.transaction(work, {
    afterCommit() {
      means.failPoints.hit('external_triggers.after_commit')
      means.onRunsQueued()
    },
  })
  return toFired(done)
}

/** Also of an answer that was kept. */
function toFired({ body, headers }: Answer): Fired {
  const runId = typeof body === 'object' && body !== null && 'run_id' in body ? body.run_id : undefined
  if (typeof runId !== 'string') throw new Error('The answer that was kept for a fire names no run')
  return answer(202, { run_id: runId, status: 'queued' }, headers)
}

interface Start {
  readonly sender: Sender
  readonly judged: Judged
}

/** Throws what the judgement refused: nothing of the transaction stays then. */
async function startRun(means: Means, tx: Tx, request: FireRequest, { sender, judged }: Start): Promise<Answer> {
  if ('refused' in judged) throw judged.refused.problem
  const { trigger, caller, by } = sender
  const { pipeline } = judged
  const id = means.ids.next()
  const noted = await noteFire(tx, trigger, { at: means.clock.now(), runId: id, bySecret: by === 'secret' })
  if (!noted) throw new ChangedMeanwhile()
  await means.runs.queue(tx, [
    {
      id,
      pipeline,
      scope: trigger.scope,
      cause: 'external',
      initiator: initiatorOf(sender),
      variables: { ...trigger.variables, ...request.variables },
      externalTriggerId: trigger.id,
      runTeamPath: trigger.runTeamPath ?? undefined,
      note: pipeline.checksOut ? EMPTY : undefined,
    },
  ])
  const { address, requestId } = request
  await means.audit.record(tx, {
    origin: { caller: caller ?? actorOf(trigger), address, requestId },
    action: 'external_trigger.fired',
    resource: { kind: 'external_trigger', id: trigger.id },
    teamPath: trigger.teamPath,
    after: {
      run_id: id,
      by,
      pipeline: trigger.pipeline,
      scope: trigger.scope,
      variables: Object.keys(request.variables),
    },
  })
  means.failPoints.hit('external_triggers.before_commit')
  return answer(202, { run_id: id, status: 'queued' }, { location: `/v1/runs/${id}` })
}

function requireRate({ limits }: Means, trigger: ExternalTrigger): void {
  const left = limits.takeFire(trigger)
  if (left.ok) return
  throw externalTriggerProblem(
    'external_trigger.rate_exceeded',
    `It may be fired ${trigger.ratePerMinute} times a minute. Wait, then send again.`,
    {
      headers: { 'retry-after': String(left.retryAfterSeconds) },
    },
  )
}

/** For a caller with a token: the secret of a disabled one has been refused as a wrong one. */
function requireEnabled(trigger: ExternalTrigger): void {
  if (trigger.enabled) return
  throw externalTriggerProblem('external_trigger.disabled', `Enable ${identifierOf(trigger)} first, then fire it.`)
}

/** A caller hears the reason at once; of a sender who knows the secret only, the owner finds it at the trigger. */
async function keepRefusal(means: Means, { trigger, caller }: Sender, judged: Judged, error: unknown): Promise<void> {
  if (caller || !('refused' in judged) || error !== judged.refused.problem) return
  await noteRefusal(means.database.kysely, trigger.id, judged.refused.reason)
}

function initiatorOf({ trigger, caller }: Sender): Owner {
  if (caller) return ownerOf(caller)
  return { kind: trigger.ownerKind, id: trigger.ownerId, name: trigger.ownerName }
}

/** Keys of all who know the secret are those of the trigger. Their rights have just been judged. */
function holderOf({ trigger, caller }: Sender): KeyHolder {
  const { kind, id, token } = caller ?? actorOf(trigger)
  return { kind, id, ...(token ? { token } : {}), can: () => true, mayUse: () => true, held: [] }
}

/** Whoever knows the secret, as audit records name them. */
function actorOf(trigger: ExternalTrigger): Caller {
  const name = `external trigger ${identifierOf(trigger)}`
  return {
    kind: 'system',
    id: `external_trigger:${trigger.id}`,
    name,
    can: () => false,
    prefixes: () => [],
    mayUse: () => false,
  }
}
