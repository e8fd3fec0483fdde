import { entriesOf } from '../client/operations.ts'
import { ApiProblem } from '../client/problem.ts'
import type { ApiOptions } from './context.ts'
import type { GivenFields } from './schedule-fields.ts'

/** Does a request. A refusal names the options that a person gave, not the fields; with --json it is as it came. */
export async function namingFlags<T>({ json }: ApiOptions, { flagOf }: GivenFields, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (json || !(error instanceof ApiProblem) || error.errors.length === 0) throw error
    throw new ApiProblem(error.status, {
      ...Object.fromEntries(entriesOf(error.document)),
      detail: error.message.replace(/(^|; )([\w.[\]]+): /g, (_, before, field) => `${before}${flagOf(field)}: `),
      errors: error.errors.map(({ field, message }) => ({ field: flagOf(field), message })),
    })
  }
}
