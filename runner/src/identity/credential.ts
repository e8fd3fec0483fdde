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

/** The identity of a runner; its file in the work-dir is readable by the runner's own user only. */
export interface RunnerCredential {
  runnerId: string
  credential: string
  url: string
}

function fileIn(workDir: string): string {
  return join(workDir, 'credential.json')
}

/** The stored credential, or undefined before the first enrolment. */
function findCredential(workDir: string): RunnerCredential | undefined {
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
function storeCredential(workDir: string, { runnerId, credential, url }: RunnerCredential): void {
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

interface Enrolment {
  address: GatewayAddress
  credentials: ChannelCredentials
  url: string
  /** Undefined or empty where none was given. */
  token: string | undefined
  name: string
  labels: readonly string[]
  capacity: number
}

const ANSWER_TIMEOUT_MS = 10_000

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

interface Surroundings {
  time: Time
  log: Log
  signal: AbortSignal
}

/** The stored credential of this runner, or one for the token, which is stored then. Throws a `RunnerError`. */
export async function obtainCredential(
  folder: string,
  enrolment: Enrolment,
  surroundings: Surroundings,
): Promise<RunnerCredential> {
  const stored = findCredential(folder)
  if (stored !== undefined) return stored
  const { token, name } = enrolment
  if (token === undefined || token === '') {
    throw new RunnerError(
      'runner.token_missing',
      `${folder} holds no credential yet: give a one-time token by SIGNALBOX_RUNNER_TOKEN or --token-file.`,
    )
  }
  const fresh = await enroll(enrolment, token, surroundings)
  storeCredential(folder, fresh)
  surroundings.log.info('enrolled', { runner_id: fresh.runnerId, name })
  return fresh
}

/** Exchanges the token, waiting for a control plane that is not up yet. Throws when the token is refused. */
async function enroll(
  { address, credentials, url, name, labels, capacity }: Enrolment,
  token: string,
  { time, log, signal }: Surroundings,
): Promise<RunnerCredential> {
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
