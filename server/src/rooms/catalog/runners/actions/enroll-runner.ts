import { createToken, readTokenKind, sha256 } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import { systemCaller } from '#platform/http'
import { runnerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { findHelloFault, findNameFault, type Runner, type RunnerHello } from '../rules/index.ts'
import * as store from '../store/index.ts'
import type { Guesses } from './count-guesses.ts'

export interface EnrollInput {
  readonly token: string
  readonly name: string
  readonly capacity: number
  readonly labels: readonly string[]
  /** Of the runner: for the audit record. */
  readonly address: string
}

export interface Enrolled {
  readonly runnerId: string
  /** Shown once; the runner keeps it. */
  readonly credential: string
}

/**
 * Exchanges a one-time token for a runner and its credential, in one transaction. Throws runner.enrollment_refused (401),
 * runner.too_many_guesses (429) and runner.hello_refused (400); after a refused name or label the token is still valid.
 */
export async function enrollRunner(means: Means, guesses: Guesses, input: EnrollInput): Promise<Enrolled> {
  const hello = { version: '', capacity: input.capacity, labels: [...new Set(input.labels)], executors: [] }
  const fault = findNameFault(input.name) ?? findHelloFault(hello)
  if (fault) throw runnerProblem('runner.hello_refused', fault)
  await guesses.admit(input.token, input.address)
  const refused = (why: string): Error => {
    guesses.count(input.address)
    return runnerProblem('runner.enrollment_refused', `The enrolment token ${why}.`)
  }
  if (readTokenKind(input.token) !== 'runner')
    throw refused('is incomplete or none at all: check that you copied all of it')
  const { token: credential, sha256: credentialSha256 } = createToken('runner')
  const runnerId = means.ids.next()
  await means.database.transaction(async (tx) => {
    const enrollment = await store.lockEnrollmentByToken(tx, sha256(input.token))
    const at = means.clock.now()
    if (!enrollment) throw refused('is not known: it was revoked, or belongs to another installation')
    if (enrollment.usedAt) throw refused(`was used at ${enrollment.usedAt.toISOString()}: create another one`)
    if (enrollment.expiresAt <= at)
      throw refused(`expired at ${enrollment.expiresAt.toISOString()}: create another one`)
    await store.markEnrollmentUsed(tx, enrollment.id, at)
    await store.insertRunner(tx, { id: runnerId, enrollment, name: input.name, hello, credentialSha256, at })
    await means.audit.record(tx, {
      origin: { caller: systemCaller('enrollment'), address: input.address, requestId: enrollment.id },
      action: 'runner.enrolled',
      resource: { kind: 'runner', id: runnerId },
      teamPath: enrollment.teamPath,
      after: { name: input.name, scopes: enrollment.scopes, labels: enrollment.labels, enrollment_id: enrollment.id },
    })
  })
  return { runnerId, credential }
}

/**
 * The runner behind a credential; undefined for any other text and for a removed runner. Throws runner.too_many_guesses
 * (429).
 */
export async function authenticateRunner(
  db: Queryable,
  guesses: Guesses,
  credential: string,
  address: string,
): Promise<Runner | undefined> {
  await guesses.admit(credential, address)
  const isOne = readTokenKind(credential) === 'runner'
  const runner = isOne ? await store.findRunnerByCredential(db, sha256(credential)) : undefined
  if (!runner) guesses.count(address)
  return runner
}

/** Throws runner.hello_refused (400) for a self-description that is not valid. */
export function requireHello(hello: RunnerHello): RunnerHello {
  const unique = { ...hello, labels: [...new Set(hello.labels)], executors: [...new Set(hello.executors)] }
  const fault = findHelloFault(unique)
  if (fault) throw runnerProblem('runner.hello_refused', fault)
  return unique
}
