import { entriesOf } from '@signalbox/contracts/http/requests'
import { ApiProblem } from '../client/problem.ts'
import type { ApiOptions } from './context.ts'
import type { GivenFields } from './schedule-fields.ts'

/** Does a request. A refusal names the options that a person gave, not the fields; with --json it is as it came. */
export async function namingFlags<T>(
  { json }: ApiOptions,
  { flagOf }: Pick<GivenFields, 'flagOf'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (json || !(error instanceof ApiProblem) || error.errors.length === 0) throw error
    const fields = new Set(error.errors.map(({ field }) => field))
    throw new ApiProblem(error.status, {
      ...Object.fromEntries(entriesOf(error.document)),
      // A fault begins with its field: `timezone: ...; spread: ...`, or `not_before must be ...`.
      detail: error.message.replace(/(?<=^|; )[\w.[\]]+(?=:? )/g, (word) => (fields.has(word) ? flagOf(word) : word)),
      errors: error.errors.map(({ field, message }) => ({ field: flagOf(field), message })),
    })
  }
}
