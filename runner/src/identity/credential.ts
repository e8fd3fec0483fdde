import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import type { ChannelCredentials } from '@grpc/grpc-js'
import { status } from '@grpc/grpc-js'
import { EnrollRequestSchema } from '@signalbox/contracts/runner'
import type { GatewayAddress } from '../connection/address.ts'
import { backOff } from '../connection/back-off.ts'
import { GatewayClient } from '../connection/gateway-client.ts'
import { TlsProblems } from '../connection/tls-problem.ts'
import { describeError, RunnerError, systemCode } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Time } from '../time/index.ts'
import { pause } from '../time/index.ts'

/** What a runner is known by; kept in its work-dir, readable by its own user only. */
export interface RunnerCredential {
  runnerId: string
  credential: string
  url: string
}

function fileIn(workDir: string): string {
  return join(workDir, 'credential.json')
}

/** The stored credential, or undefined before the first enrolment. */
export function findCredential(workDir: string): RunnerCredential | undefined {
  const path = fileIn(workDir)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw new RunnerError('runner.credential_unreadable', `${path} cannot be read: ${describeError(error)}.`)
  }
  const value = parse(text)
  if (value === undefined) {
    throw new RunnerError(
      'runner.credential_unreadable',
      `${path} is damaged. Remove it and enrol this runner again with a new token.`,
    )
  }
  chmodSync(path, 0o600)
  return value
}

function parse(text: string): RunnerCredential | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    if (!('runner_id' in value && 'credential' in value && 'url' in value)) return undefined
    const { runner_id: runnerId, credential, url } = value
    if (typeof runnerId !== 'string' || typeof credential !== 'string' || typeof url !== 'string') return undefined
    return { runnerId, credential, url }
  } catch {
    return undefined
  }
}

/** Stores the credential with mode 0600, durably: the token that bought it is spent. */
export function storeCredential(workDir: string, { runnerId, credential, url }: RunnerCredential): void {
  const path = fileIn(workDir)
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify({ runner_id: runnerId, credential, url }, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
}

export interface Enrolment {
  address: GatewayAddress
  credentials: ChannelCredentials
  url: string
  token: string
  name: string
  labels: readonly string[]
  capacity: number
}

const ANSWER_TIMEOUT_MS = 10_000

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

/** Exchanges the token, waiting for a control plane that is not up yet. Throws when the token is refused. */
export async function enroll(
  enrolment: Enrolment,
  time: Time,
  log: Log,
  signal: AbortSignal,
): Promise<RunnerCredential> {
  const { address, credentials, url, token, name, labels, capacity } = enrolment
  const request = create(EnrollRequestSchema, { token, name, labels: [...labels], capacity })
  const tlsProblems = new TlsProblems(address)
  for (let failures = 0; ; failures++) {
    try {
      using client = new GatewayClient(address, credentials)
      const answer = await client.enroll(request, time.now() + ANSWER_TIMEOUT_MS)
      return { runnerId: answer.runnerId, credential: answer.credential, url }
    } catch (error) {
      const code = statusOf(error)
      // Too many wrong tokens came, from this address or others: a token made a second ago may be good all the same.
      const retryable =
        code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED || code === status.RESOURCE_EXHAUSTED
      if (!retryable || signal.aborted) {
        throw new RunnerError('runner.enrolment_refused', `The enrolment failed: ${describeError(error)}.`)
      }
      const reason = tlsProblems.note(describeError(error))
      const waitMs = backOff(failures, time.random())
      log.warn('the control plane cannot be reached for enrolment; trying again', { reason, wait_ms: waitMs })
      await pause(time, waitMs, signal)
    }
  }
}
