import { createHmac } from 'node:crypto'
import { completeEvent } from '@signalbox/contracts/event'
import { GitEvent, type GitEventAnswer, GitEventAnswer as GitEventAnswerSchema } from '@signalbox/contracts/events'
import { Compile } from 'typebox/compile'
import { constantTimeEqual } from '#platform/crypto'
import { execute } from '#platform/database'
import {
  type Caller,
  parseJsonStrictly,
  type RequestOrigin,
  readIdempotencyKey,
  toFieldErrors,
  type ValidationEntry,
} from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { eventProblem } from '../errors.ts'
import type { EventMeans } from '../index.ts'
import { readPostedEvent } from '../rules/index.ts'
import { insertEvents } from '../store/events.ts'
import { claimPosted, findPosted, type PostedKey } from '../store/posted.ts'
import { recordOf } from './admit-events.ts'
import { commitPlan } from './commit-plans.ts'
import { type EventPlan, planEvent } from './plan-event.ts'
import { invalid, planDirectly } from './start-directly.ts'

export interface PostedEventRequest {
  readonly origin: RequestOrigin
  readonly rawBody: Buffer
  /** X-Service-Signature; undefined: none was sent. */
  readonly signature: string | string[] | undefined
  /** Idempotency-Key; stands in for a delivery id where the event names none. */
  readonly idempotencyKey: string | string[] | undefined
}

const checkBody = Compile(GitEvent)

/**
 * POST /v1/git/events: an event that somebody has normalised already. Posted again with the same `delivery_id` by the same
 * caller it starts nothing and is answered as the first time.
 */
export async function receiveEvent(kit: Kit, needs: EventMeans, request: PostedEventRequest): Promise<GitEventAnswer> {
  const signed = checkSignature(kit, request)
  const body = readBody(request.rawBody)
  const { pipeline, scope, variables, ...posted } = body
  const read = readPostedEvent(completeEvent(posted), kit.config.localRepositories)
  if ('fault' in read) throw invalid(read.fault.field, read.fault.message)
  const { event } = read
  const { caller } = request.origin
  const key = keyOf(caller, event.delivery_id, readIdempotencyKey(request.idempotencyKey))
  const earlier = key && readAnswer(await findPosted(kit.database.kysely, key))
  if (earlier) return earlier
  if (pipeline !== undefined) {
    if (scope === undefined) throw invalid('scope', 'is required where a pipeline is given')
    const plan = await planDirectly(kit, needs, caller, event, {
      pipeline,
      scope,
      variables: variables ?? {},
      signed,
    })
    return record(kit, needs, request, key, plan, ({ starts }) => ({ run_id: starts[0]?.run.id ?? plan.eventId }))
  }
  if (scope !== undefined || variables !== undefined) {
    throw invalid('pipeline', 'is required where scope or variables are given')
  }
  const plan = await planEvent(kit, needs, {
    event,
    matcher: await needs.triggers.matcher(),
    context: { sourceId: null, visibleTo: () => true },
    poster: signed ? null : caller,
    deliveryRecordId: null,
    replayOf: null,
    readsRepository: false,
    headUnasked: 'Post it with `after`, the whole name of the commit.',
    checkoutCredentialRef: null,
    receivedAt: kit.clock.now(),
  })
  const answer = await record(kit, needs, request, key, plan, answerTo)
  if (plan.starts.length === 0 && plan.refused > 0) throw refused(plan)
  return answer
}

/** Also accepted when another event of the same change started everything: it is answered as that one was. */
function answerTo({ starts, cancels, trace }: EventPlan): GitEventAnswer {
  const repeated = trace.triggers.some(({ outcome }) => outcome === 'duplicate')
  return { status: starts.length + cancels.length > 0 || repeated ? 'accepted' : 'ignored' }
}

/** A delivery id of the provider never stands for a key of a client, whatever both are. */
function keyOf(caller: Caller, deliveryId: string | null, idempotencyKey: string | undefined): PostedKey | undefined {
  const named = { callerKind: caller.kind, callerId: caller.id }
  if (deliveryId !== null) return { ...named, deliveryId: `delivery ${deliveryId}` }
  return idempotencyKey === undefined ? undefined : { ...named, deliveryId: `key ${idempotencyKey}` }
}

const checkAnswer = Compile(GitEventAnswerSchema)

function readAnswer(stored: unknown): GitEventAnswer | undefined {
  return checkAnswer.Check(stored) ? stored : undefined
}

/** Whether a right signature vouches for the event. One that is there must be right, also where no key is configured. */
function checkSignature(kit: Kit, { signature, rawBody }: PostedEventRequest): boolean {
  if (signature === undefined) return false
  const key = kit.config.eventSigningSecret
  const given = typeof signature === 'string' ? /^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1] : undefined
  const expected = key === undefined || key === '' ? undefined : createHmac('sha256', key).update(rawBody).digest('hex')
  if (given !== undefined && expected !== undefined && constantTimeEqual(given.toLowerCase(), expected)) return true
  throw eventProblem(
    'event.signature_invalid',
    expected === undefined
      ? 'X-Service-Signature cannot be checked: event_signing_secret is not configured. Leave the header out.'
      : 'X-Service-Signature is not "sha256=" and the HMAC-SHA-256 of the body with event_signing_secret.',
  )
}

function readBody(rawBody: Buffer): GitEvent {
  const value = parseJsonStrictly(rawBody)
  if (checkBody.Check(value)) return value
  const errors = toFieldErrors('body', checkBody.Errors(value).flatMap(toEntries))
  const [first] = errors
  throw platformProblem('invalid_request', `${first?.field ?? 'body'} ${first?.message ?? 'is not valid'}.`, {
    errors: errors.slice(0, 50),
  })
}

type SchemaError = ReturnType<typeof checkBody.Errors>[number]

/** As the validator of the other routes says it: one entry for each field, with the schema that describes it. */
function toEntries(error: SchemaError): ValidationEntry[] {
  const { instancePath, keyword, message, schemaPath } = error
  const entry = { instancePath, keyword, message, parentSchema: schemaAt(schemaPath) }
  switch (error.keyword) {
    // Of a field that is not known; additionalProperties names it.
    case 'boolean':
      return []
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ ...entry, params: { additionalProperty: name } }))
    case 'required':
      return error.params.requiredProperties.map((name) => ({ ...entry, params: { missingProperty: name } }))
    default:
      return [{ ...entry, params: { ...error.params } }]
  }
}

function schemaAt(path: string): unknown {
  let schema: unknown = GitEvent
  for (const part of path.slice(2).split('/').filter(Boolean)) {
    schema = typeof schema === 'object' && schema !== null ? new Map(Object.entries(schema)).get(part) : undefined
  }
  return schema
}

/**
 * The event, its runs and the answer in one transaction; answers as another post of the same delivery was answered that
 * came first. A refused event is recorded, but keeps no answer: it may be permitted next time.
 */
async function record(
  kit: Kit,
  needs: EventMeans,
  { origin }: PostedEventRequest,
  key: PostedKey | undefined,
  plan: EventPlan,
  answerOf: (plan: EventPlan) => GitEventAnswer,
): Promise<GitEventAnswer> {
  const refusedWhole = plan.starts.length === 0 && plan.refused > 0
  const committed = await commitPlan(kit, needs.runs, plan, async (tx, trying) => {
    if (key && !refusedWhole) {
      const posted = { eventId: plan.eventId, answer: answerOf(trying), at: kit.clock.now() }
      if (!(await claimPosted(tx, key, posted))) return false
    }
    await execute(tx, insertEvents([recordOf(trying)]))
    await needs.audit.record(tx, {
      origin,
      action: 'git_event.posted',
      resource: { kind: 'git_event', id: plan.eventId },
      teamPath: trying.starts[0]?.run.pipeline.teamPath ?? '/',
      after: { repository: plan.event.repository.full_name, kind: plan.event.kind, ...answerOf(trying) },
    })
    return true
  })
  if (committed) {
    if (committed.starts.length > 0) needs.onRunsQueued()
    return answerOf(committed)
  }
  const first = key && readAnswer(await findPosted(kit.database.kysely, key))
  return first ?? { status: 'ignored' }
}

function refused(plan: EventPlan): Error {
  const reasons = plan.trace.triggers.flatMap(({ name, outcome, reason }) =>
    outcome === 'refused' ? [`${name}: ${reason ?? 'It may not start.'}`] : [],
  )
  return eventProblem('event.not_permitted', `The event matched, but nothing may start. ${reasons.join(' ')}`)
}
