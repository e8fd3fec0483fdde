import type { RequestOrigin } from '#platform/http'
import type { CreatedAdministrator, NewAdministrator } from '#rooms/foundation/access'
import { setupProblem } from '../errors.ts'
import type { Means } from '../means.ts'

/** The first administrator, by the bootstrap token only; later ones are made by POST /v1/users and /v1/grants. */
export async function createAdministrator(
  means: Means,
  origin: RequestOrigin,
  input: NewAdministrator,
): Promise<CreatedAdministrator> {
  if (!origin.caller.can('user.write', '/') || origin.caller.kind !== 'bootstrap') {
    throw setupProblem('setup.bootstrap_required', 'Send the bootstrap token: only it makes the first administrator.')
  }
  if (input.password === undefined && input.tokenName === undefined) {
    throw setupProblem(
      'setup.credential_missing',
      'Send a password, a token_name or both: else nobody could sign in.',
      {
        errors: [{ field: 'password', message: 'is required where token_name is not given' }],
      },
    )
  }
  return means.access.createAdministrator(origin, input)
}
