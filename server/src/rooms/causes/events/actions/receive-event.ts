import { createHmac } from 'node:crypto'
import { completeEvent, type Event } from '@signalbox/contracts/event'
import { GitEvent, type GitEventAnswer } from '@signalbox/contracts/events'
import { Compile } from 'typebox/compile'
import { constantTimeEqual } from '#platform/crypto'
import { CopyStale } from '#platform/database'
import { type Caller, parseJsonStrictly } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Matcher } from '#rooms/causes/triggers'
import { eventProblem } from '../errors.ts'
import type { EventMeans } from '../index.ts'
import { findUndeclared } from '../rules.ts'
import { admission } from './admit-events.ts'
import { type EventPlan, newRun, planEvent } from './plan-event.ts'

export interface PostedEventRequest {
  readonly caller: Caller
  readonly rawBody: Buffer
  /** X-Service-Signature; undefined: none was sent. */
  readonly signature: string | string[] | undefined
}

const checkBody = Compile(GitEvent)

/** POST /v1/git/events: an event that somebody has normalised already. */
export async function receiveEvent(kit: Kit, needs: EventMeans, request: PostedEventRequest): Promise<GitEventAnswer> {
  const signed = checkSignature(kit, request)
  const body = readBody(request.rawBody)
  const { pipeline, scope, variables, ...posted } = body
  const event = completeEvent(posted)
  if (event.repository.full_name.split('/').some((part) => part === '.' || part === '..')) {
    throw invalid('repository.full_name', 'must be owner/name, without "." and ".."')
  }
  if (pipeline !== undefined) {
    return startDirectly(kit, needs, request.caller, event, { pipeline, scope, variables: variables ?? {} })
  }
  if (scope !== undefined || variables !== undefined) {
    throw invalid('pipeline', 'is required where scope or variables are given')
  }
  const plan = await planEvent(kit, needs, {
    event,
    matcher: await takeMatcher(needs),
    context: { sourceId: null, visibleTo: () => true },
    poster: signed ? null : request.caller,
    deliveryRecordId: null,
    checkoutCredentialRef: null,
    receivedAt: kit.clock.now(),
  })
  await record(kit, needs, plan)
  if (plan.runs.length > 0) return { status: 'accepted' }
  if (plan.refused > 0) throw refused(plan)
  return { status: 'ignored' }
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
  const errors = checkBody.Errors(value).map(({ instancePath, message, keyword, params }) => {
    const path = instancePath.slice(1).replaceAll('/', '.')
    if (keyword === 'required' && 'requiredProperties' in params) {
      const [missing = ''] = params.requiredProperties
      return { field: path === '' ? missing : `${path}.${missing}`, message: 'is required' }
    }
    if (keyword === 'additionalProperties' && 'additionalProperties' in params) {
      const [unknown = ''] = params.additionalProperties
      return { field: path === '' ? unknown : `${path}.${unknown}`, message: 'is not a known field: leave it out' }
    }
    return { field: path === '' ? 'body' : path, message }
  })
  const [first] = errors
  throw platformProblem('invalid_request', `${first?.field ?? 'body'} ${first?.message ?? 'is not valid'}.`, {
    errors: errors.slice(0, 50),
  })
}

async function takeMatcher(needs: EventMeans): Promise<Matcher> {
  try {
    return await needs.triggers.matcher()
  } catch (cause) {
    if (!(cause instanceof CopyStale)) throw cause
    throw platformProblem('database_unavailable', 'The triggers cannot be read right now. Send the event again.', {
      cause,
      headers: { 'retry-after': '2' },
    })
  }
}

interface DirectStart {
  readonly pipeline: string
  readonly scope: string | undefined
  readonly variables: Readonly<Record<string, string>>
}

/** The event names its pipeline: the caller starts it, and must be allowed to. */
async function startDirectly(
  kit: Kit,
  needs: EventMeans,
  caller: Caller,
  event: Event,
  wanted: DirectStart,
): Promise<GitEventAnswer> {
  if (wanted.scope === undefined) throw invalid('scope', 'is required where a pipeline is given')
  const pipeline = await needs.pipelines.lookup(wanted.pipeline)
  if (!pipeline || !caller.can('pipeline.read', pipeline.teamPath)) {
    throw invalid('pipeline', `there is no pipeline ${wanted.pipeline} that you may see`)
  }
  if (
    !caller.can('run.start', pipeline.teamPath) ||
    !(await needs.access.snapshot()).canUseScope(caller, wanted.scope)
  ) {
    throw eventProblem('event.not_permitted', `You may not start ${wanted.pipeline} in the scope ${wanted.scope}.`)
  }
  const [stray] = findUndeclared(pipeline.variables, wanted.variables)
  if (stray) throw invalid(`variables.${stray}`, `is not a variable of ${pipeline.identifier}`)
  const eventId = kit.ids.next()
  const run = newRun(kit, { event, deliveryRecordId: null, checkoutCredentialRef: null }, eventId, {
    pipeline,
    scope: wanted.scope,
    triggerId: undefined,
    initiator: { kind: caller.kind, id: caller.id, name: caller.name },
    variables: wanted.variables,
  })
  await record(kit, needs, {
    eventId,
    event,
    deliveryRecordId: null,
    receivedAt: kit.clock.now(),
    runs: [run],
    refused: 0,
    trace: {
      event_id: eventId,
      kind: event.kind,
      action: event.action,
      repository: event.repository.full_name,
      ref: event.ref,
      layer: null,
      triggers: [],
      manifest: null,
    },
  })
  return { run_id: run.id }
}

async function record(kit: Kit, needs: EventMeans, plan: EventPlan): Promise<void> {
  await kit.database.pipeline(admission(needs, [plan]))
  if (plan.runs.length > 0) needs.onRunsQueued()
}

function refused(plan: EventPlan): Error {
  const reasons = plan.trace.triggers.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`]))
  return eventProblem('event.not_permitted', `The event matched, but nothing may start. ${reasons.join(' ')}`)
}

function invalid(field: string, message: string): Error {
  return platformProblem('invalid_request', `${field}: ${message}.`, { errors: [{ field, message }] })
}
