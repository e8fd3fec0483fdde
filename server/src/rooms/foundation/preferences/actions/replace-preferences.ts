import type { PreferencesInput } from '@signalbox/contracts/preferences'
import { foreignKeyViolation } from '#platform/database'
import { checkIfMatch, etagOf, laterThan, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { completePreferences, findPreferenceFaults } from '../rules.ts'
import * as store from '../store.ts'
import { type KeptPreferences, NEVER, requireUser } from './read-preferences.ts'

/** Throws invalid_request (400), forbidden (403), version_conflict (409). */
export async function replacePreferences(
  means: Means,
  { caller, ifMatch }: RequestOrigin,
  input: PreferencesInput,
): Promise<KeptPreferences> {
  const userId = requireUser(caller)
  const document = completePreferences(input)
  const errors = findPreferenceFaults(document)
  const [first] = errors
  if (first) throw platformProblem('invalid_request', `${first.field} ${first.message}.`, { errors })
  try {
    return await means.database.transaction(async (tx) => {
      const before = await store.lockPreferences(tx, userId, NEVER)
      checkIfMatch(ifMatch, etagOf(before.updatedAt))
      const updatedAt = laterThan(before.updatedAt, means.clock.now())
      await store.updatePreferences(tx, userId, { document, updatedAt })
      return { preferences: document, etag: etagOf(updatedAt) }
    })
  } catch (error) {
    if (foreignKeyViolation(error) === undefined) throw error
    throw platformProblem('unauthenticated', 'The owner of this token is gone.', { cause: error })
  }
}
