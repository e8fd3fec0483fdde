import { RunnerError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Time } from '../time/index.ts'
import type { Enrolment, RunnerCredential } from './credential.ts'
import { enroll, findCredential, storeCredential } from './credential.ts'

/** What an enrolment that may be needed has; the token may be missing. */
export type Applicant = Omit<Enrolment, 'token'> & { token: string | undefined }

interface Surroundings {
  time: Time
  log: Log
  signal: AbortSignal
}

/** The credential of this runner: the stored one, or one for the token, which is stored. Throws a `RunnerError`. */
export async function obtainCredential(
  folder: string,
  { token, ...enrolment }: Applicant,
  { time, log, signal }: Surroundings,
): Promise<RunnerCredential> {
  const stored = findCredential(folder)
  if (stored !== undefined) return stored
  if (token === undefined || token === '') {
    throw new RunnerError(
      'runner.token_missing',
      `${folder} holds no credential yet: give a one-time token by SIGNALBOX_RUNNER_TOKEN or --token-file.`,
    )
  }
  const fresh = await enroll({ ...enrolment, token }, time, log, signal)
  storeCredential(folder, fresh)
  log.info('enrolled', { runner_id: fresh.runnerId, name: enrolment.name })
  return fresh
}
