import { createHmac } from 'node:crypto'
import { completeEvent } from '@signalbox/contracts/event'
import { GitEvent, type GitEventAnswer, GitEventAnswer as GitEventAnswerSchema } from '@signalbox/contracts/events'
import { Compile } from 'typebox/compile'
import { constantTimeEqual, sha256 } from '#platform/crypto'
import { execute } from '#platform/database'
import {
  type Caller,
  parseJsonStrictly,
  principalOf,
  type RequestOrigin,
  readIdempotencyKey,
  toFieldErrors,
  type ValidationEntry,
} from '#platform/http'
import { platformProblem } from '#platform/problems'
import { eventProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { readPostedEvent } from '../rules/index.ts'
import { insertEvents, type Posted } from '../store/events.ts'
import { claimPosted, type FirstPost, findPosted, type PostedKey } from '../store/posted.ts'
import { recordOf, settledResultOf } from './admit-events.ts'
import { commitPlan } from './commit-plans.ts'
import type { EventPlan } from './event-plan.ts'
import { planEvent } from './plan-event.ts'
import { DIRECT_STARTER, invalid, planDirectly } from './start-directly.ts'

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
export async function receiveEvent(means: Means, request: PostedEventRequest): Promise<GitEventAnswer> {
  const signed = checkSignature(means, request)
  const body = readBody(request.rawBody)
  const { pipeline, scope, variables, ...posted } = body
  const read = readPostedEvent(completeEvent(posted), means.config.localRepositories)
  if ('fault' in read) throw invalid(read.fault.field, read.fault.message)
  const { event } = read
  const { caller } = request.origin
  const key = keyOf(request, event.delivery_id)
  const earlier = key && (await findPosted(means.database.kysely, key))
  if (earlier) return answerAgain(key, earlier)
  if (pipeline !== undefined) {
    if (scope === undefined) throw invalid('scope', 'is required where a pipeline is given')
    const plan = await planDirectly(means, caller, event, {
      pipeline,
      scope,
      variables: variables ?? {},
      signed,
    })
    const answerOf = ({ starts, eventId }: EventPlan): GitEventAnswer => ({
      run_id: starts[0]?.run.id ?? eventId,
      event_id: eventId,
    })
    return record(means, request, plan, { key, answerOf })
  }
  if (scope !== undefined || variables !== undefined) {
    throw invalid('pipeline', 'is required where scope or variables are given')
  }
  const plan = await planEvent(means, {
    event,
    matcher: await means.triggers.matcher(),
    context: { sourceId: null, visibleTo: () => true },
    poster: signed ? null : caller,
    deliveryRecordId: null,
    replayOf: null,
    readsRepository: false,
    headUnasked: 'Post it with `after`, the whole name of the commit.',
    checkoutCredentialRef: null,
    receivedAt: means.clock.now(),
  })
  const answer = await record(means, request, plan, { key, answerOf: answerTo })
  if (plan.starts.length === 0 && plan.refused > 0) throw refused(means, request.origin.caller, plan)
  return answer
}

/** Also accepted when another event of the same change started everything: it is answered as that one was. */
function answerTo(plan: EventPlan): GitEventAnswer {
  const result = settledResultOf(plan)
  const status = result === 'accepted' || result === 'duplicate' ? 'accepted' : 'ignored'
  return { status, event_id: plan.eventId }
}

/** A delivery id of the provider never stands for a key of a client, whatever both are. */
function keyOf(request: PostedEventRequest, deliveryId: string | null): RequestKey | undefined {
  const { caller } = request.origin
  const named = { callerKind: caller.kind, callerId: caller.id }
  const key = readIdempotencyKey(request.idempotencyKey)
  if (deliveryId !== null) return { ...named, deliveryId: `delivery ${deliveryId}`, bodySha256: null }
  return key === undefined ? undefined : { ...named, deliveryId: `key ${key}`, bodySha256: sha256(request.rawBody) }
}

/**
 * `bodySha256`: the digest of the body that an Idempotency-Key stands for. A delivery id stands for a change, however
 * it is told.
 */
type RequestKey = PostedKey & Pick<FirstPost, 'bodySha256'>

const checkAnswer = Compile(GitEventAnswerSchema)

/** Throws idempotency_key_reused (409) where the key came with another body before. */
function answerAgain(key: RequestKey, { answer, eventId, bodySha256 }: FirstPost): GitEventAnswer {
  if (key.bodySha256 && bodySha256 && !key.bodySha256.equals(bodySha256)) {
    throw platformProblem('idempotency_key_reused', 'This Idempotency-Key came with another body: use a new key.')
  }
  return checkAnswer.Check(answer) ? answer : { status: 'ignored', event_id: eventId }
}

/**
 * Whether a right signature vouches for the event. A signature that is present must be right, even where no key is
 * configured.
 */
function checkSignature(means: Means, { signature, rawBody }: PostedEventRequest): boolean {
  if (signature === undefined) return false
  const key = means.config.eventSigningSecret
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

/**
 * Reports faults as the validator of other routes does: one entry for each field, with the schema that describes it.
 */
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

interface Answering {
  readonly key: RequestKey | undefined
  readonly answerOf: (plan: EventPlan) => GitEventAnswer
}

/**
 * The event, its runs and the answer in one transaction; answers as another post of the same delivery was answered that
 * came first. A refused event is recorded, but keeps no answer: it may be permitted next time.
 */
async function record(
  means: Means,
  { origin }: PostedEventRequest,
  plan: EventPlan,
  { key, answerOf }: Answering,
): Promise<GitEventAnswer> {
  const refusedWhole = plan.starts.length === 0 && plan.refused > 0
  const committed = await commitPlan(means, plan, async (tx, trying) => {
    if (key && !refusedWhole) {
      const { bodySha256 } = key
      const posted = { eventId: plan.eventId, answer: answerOf(trying), bodySha256, at: means.clock.now() }
      if (!(await claimPosted(tx, key, posted))) return false
    }
    await execute(tx, insertEvents([recordOf(trying, postedOf(origin.caller, trying))]))
    await means.audit.record(tx, {
      origin,
      action: 'git_event.posted',
      resource: { kind: 'git_event', id: plan.eventId },
      teamPath: teamOf(trying),
      after: { repository: plan.event.repository.full_name, kind: plan.event.kind, ...answerOf(trying) },
    })
    return true
  })
  if (committed) return answerOf(committed)
  const first = key && (await findPosted(means.database.kysely, key))
  return first ? answerAgain(key, first) : { status: 'ignored', event_id: plan.eventId }
}

/** Callers who may see events of this team see the event; the poster sees it in any case. */
function teamOf({ starts }: EventPlan): string {
  return starts[0]?.run.pipeline.teamPath ?? '/'
}

function postedOf(caller: Caller, plan: EventPlan): Posted {
  const named = plan.starts.find(({ starter }) => starter.startsWith(DIRECT_STARTER))
  return { by: principalOf(caller), teamPath: teamOf(plan), trace: plan.trace, directRunId: named?.run.id }
}

/** Names the rules that the poster may see, with the reasons as the poster may see them. */
function refused({ runs }: Means, poster: Caller, plan: EventPlan): Error {
  const reasons = plan.trace.triggers.flatMap(({ layer, team_path, name, pipeline, outcome, reason }) => {
    const isSeen = poster.can(layer === 'override' ? 'override.read' : 'trigger.read', team_path)
    if (outcome !== 'refused' || !isSeen) return []
    return [`${name}: ${runs.reasonFor(poster, { pipeline }, reason) ?? 'The start is not permitted.'}`]
  })
  return eventProblem(
    'event.not_permitted',
    `The event matched, but nothing may start. ${reasons.join(' ')} Its record is event ${plan.eventId}.`,
  )
}
