import { artifactProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { openToken, type TransferSubject } from '../rules/index.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The attempt behind a bearer token. Throws `transfer.token_invalid` (401) unless a runner has it in hand now. */
export async function admitAttempt(means: Means, headers: Headers): Promise<TransferSubject> {
  const { authorization } = headers
  const subject = openToken(means.sealer, typeof authorization === 'string' ? authorization : undefined)
  if (subject && (await means.runs.isInHand(means.database.kysely, subject.attemptId))) return subject
  throw artifactProblem('transfer.token_invalid', 'The token belongs to no attempt that a runner has in hand.')
}
