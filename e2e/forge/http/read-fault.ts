import { type Fields, textOf } from '../fields.ts'
import type { PostFault } from '../webhooks/mailbox.ts'
import type { Fault } from './faults.ts'

const PLAIN = ['lost', 'reset', 'cut', 'endless', 'malformed'] as const
const POST_FAULTS: readonly PostFault[] = ['lose', 'drop', 'lose_answer', 'duplicate', 'hold']

/** A fault that came as JSON; undefined: it is none. */
export function readFault(fields: Fields): Fault | undefined {
  const kind = textOf(fields, 'kind')
  const plain = PLAIN.find((one) => one === kind)
  if (plain) return { kind: plain }
  const number = (name: string): number | undefined => (typeof fields[name] === 'number' ? fields[name] : undefined)
  switch (kind) {
    case 'refuse':
      return { kind, status: number('status') ?? 502, ...('body' in fields ? { body: fields['body'] } : {}) }
    case 'rate_limit':
      return {
        kind,
        status: number('status') === 429 ? 429 : 403,
        ...given('retryAfterS', number('retry_after_s')),
        ...given('resetInS', number('reset_in_s')),
      }
    case 'slow':
      return { kind, ms: number('ms') ?? 1000 }
    case 'huge':
      return { kind, ...given('bytes', number('bytes')) }
    case 'redirect':
      return { kind, to: textOf(fields, 'to') ?? 'http://169.254.169.254/' }
    default:
      return undefined
  }
}

export function readPostFault(value: unknown): PostFault | undefined {
  return POST_FAULTS.find((one) => one === value)
}

function given<N extends string>(name: N, value: number | undefined): Partial<Record<N, number>> {
  const fields: Partial<Record<N, number>> = {}
  if (value !== undefined) fields[name] = value
  return fields
}
