import { timingSafeEqual } from 'node:crypto'
import { readTokenKind, sha256 } from '#platform/crypto'
import type { Caller } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import { externalTriggerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type ExternalTrigger, findExternalTrigger } from '../store.ts'
import { getExternalTrigger } from './find-external-trigger.ts'

/** How a sender says who it is. */
export interface Proof {
  /** Id or identifier. */
  readonly asked: string
  /** Of the secret URL. */
  readonly secret: string | undefined
  readonly authorization: string | undefined
  readonly address: string
}

/** A trigger, and who may fire it: whoever knows its secret, or a caller. */
export interface Sender {
  readonly trigger: ExternalTrigger
  readonly caller: Caller | undefined
  /** As audit records tell it; `hand`: somebody asked for a run as one does of a pipeline. */
  readonly by: 'secret' | 'token' | 'hand'
}

const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i
const SECRET_PREFIX = 'sbxe_'
/** Compared where there is no trigger, so that it takes as long. */
const NO_SECRET = Buffer.alloc(32)

/**
 * Throws not_found (404) for the secret URL and unauthenticated (401) for a bearer: in the same words for a wrong secret,
 * an unknown id and a disabled trigger. Too many of those from one address are external_trigger.too_many_failures (429); a right secret passes.
 */
export async function identifySender(means: Means, proof: Proof): Promise<Sender> {
  if (proof.secret !== undefined) return bySecret(means, proof, proof.secret, noSuchAddress)
  const bearer = BEARER.exec(proof.authorization ?? '')?.[1]
  if (bearer?.startsWith(SECRET_PREFIX)) return bySecret(means, proof, bearer, unauthenticated)
  return byToken(means, proof)
}

async function bySecret(means: Means, proof: Proof, secret: string, refusal: () => Problem): Promise<Sender> {
  const isSecret = readTokenKind(secret) === 'external_trigger'
  const trigger = isSecret ? await findExternalTrigger(means.database.kysely, proof.asked) : undefined
  const isRight = timingSafeEqual(sha256(secret), trigger?.secretSha256 ?? NO_SECRET)
  if (trigger?.enabled && isRight) return { trigger, caller: undefined, by: 'secret' }
  const left = means.limits.takeFailure(proof.address)
  if (left.ok) throw refusal()
  throw externalTriggerProblem(
    'external_trigger.too_many_failures',
    'Too many wrong secrets came from your address. Wait, then send the right one.',
    {
      headers: { 'retry-after': String(left.retryAfterSeconds) },
    },
  )
}

async function byToken(means: Means, { asked, authorization, address }: Proof): Promise<Sender> {
  const { authenticator } = means.access
  const credentials = authorization === undefined ? undefined : ({ kind: 'bearer', authorization } as const)
  const caller = credentials && (await authenticator.authenticate(credentials, address))
  if (!caller) throw unauthenticated()
  await authenticator.requireFresh()
  if (caller.kind !== 'bootstrap' && (await authenticator.isSetupLocked())) {
    throw platformProblem('setup_locked', 'Finish the setup first: GET /v1/setup/preflight names what is missing.')
  }
  return { trigger: await getExternalTrigger(means, caller, asked), caller, by: 'token' }
}

function unauthenticated(): Problem {
  return platformProblem(
    'unauthenticated',
    'Send the secret of the external trigger, or a valid token, as the bearer.',
    {
      headers: { 'www-authenticate': 'Bearer' },
    },
  )
}

function noSuchAddress(): Problem {
  return platformProblem('not_found', 'Nothing is fired by this address: it may be wrong, replaced or disabled.')
}
