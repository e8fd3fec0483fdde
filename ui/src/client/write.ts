import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import { awayBy } from './away.ts'
import { type Answer, exchange, type Parts } from './call.ts'
import { ApiProblem } from './problem.ts'
import { WriteKeys } from './write-keys.ts'

const keys = new WriteKeys()

/** A call that changes something: done once, though it be pressed again because no answer came. */
export async function write<O extends Operation>(operation: O, parts: Parts): Promise<Answer<SuccessOf<O>>> {
  const { signal: _, ...input } = parts
  const route = `${operation.method} ${operation.path}`
  try {
    const answer = await exchange(operation, { idempotencyKey: keys.take(route, input), ...parts })
    keys.answered(route, input)
    return answer
  } catch (error) {
    if (isAnswer(error)) keys.answered(route, input)
    throw error
  }
}

/** Whether a failure says what became of the write. That the first one is not done yet says nothing. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    awayBy(error) === undefined &&
    error.status < 500 &&
    error.code !== 'idempotency_key_in_use'
  )
}
