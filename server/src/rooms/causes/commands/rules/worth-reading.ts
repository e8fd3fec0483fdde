import { COMMAND_VERBS } from '@signalbox/contracts/commands'

const VERBS: readonly string[] = COMMAND_VERBS

export interface PostedWords {
  /** The first words of lines that begin with a slash. */
  readonly words: readonly string[]
  readonly isOneLine: boolean
  /** A trigger took the comment for itself. */
  readonly isMatched: boolean
}

/**
 * Whether the provider is asked for a comment: it may hold a command, or consists of one that nobody knows. What a trigger
 * takes for itself, such as /retest, is no unknown command.
 */
export function isWorthReading({ words, isOneLine, isMatched }: PostedWords): boolean {
  return (
    words.some((word) => VERBS.includes(word)) || (isOneLine && !isMatched && words.some((word) => WORD.test(word)))
  )
}

const WORD = /^[a-z][a-z-]*$/
