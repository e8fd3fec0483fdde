import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import { artifactProblem } from '../errors.ts'
import { openToken, type TransferSubject } from '../rules/index.ts'

export interface AdmitNeeds {
  readonly runs: Pick<Runs, 'isInHand'>
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The attempt behind a bearer token. Throws `transfer.token_invalid` (401) unless a runner has it in hand now. */
export async function admitAttempt(kit: Kit, needs: AdmitNeeds, headers: Headers): Promise<TransferSubject> {
  const { authorization } = headers
  const subject = openToken(kit.sealer, typeof authorization === 'string' ? authorization : undefined)
  if (subject && (await needs.runs.isInHand(kit.database.kysely, subject.attemptId))) return subject
  throw artifactProblem('transfer.token_invalid', 'The token belongs to no attempt that a runner has in hand.')
}
