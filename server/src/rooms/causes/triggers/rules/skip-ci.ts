import type { Event } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import type { CompiledTrigger } from './compile-trigger.ts'

const WORDS = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|\*\*\*NO_CI\*\*\*/i
const TRAILER = /^skip-checks:[ \t]*true[ \t]*$/im

/** How a commit message asks for no CI; undefined: it does not. A trailer counts in the last paragraph only. */
export function findSkipWord(message: string): string | undefined {
  const word = WORDS.exec(message)?.[0]
  if (word !== undefined) return word
  const last = message.trimEnd().split(/\r?\n[ \t]*\r?\n/)
  return last.length > 1 ? TRAILER.exec(last.at(-1) ?? '')?.[0].trim() : undefined
}

/** Undefined: nothing was asked, or the message of the head commit is not known. Other events tell no message. */
export function skipCondition({ trigger }: CompiledTrigger, event: Event): ConditionTrace | undefined {
  if (!trigger.skipCi || event.kind !== 'push' || event.after === null) return undefined
  const head = event.commits.findLast(({ sha }) => sha === event.after)
  const word = head && findSkipWord(head.message)
  if (word === undefined) return undefined
  return {
    condition: 'skip_ci',
    expected: 'a head commit that asks for CI',
    seen: word,
    passed: false,
    note: 'The message of the head commit asks for no CI; set skip_ci of the trigger to false to start all the same.',
  }
}
