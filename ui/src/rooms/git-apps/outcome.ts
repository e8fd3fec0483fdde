import { ERROR_WORDS, OUTCOME_WORDS } from '@signalbox/contracts/git-apps/words'
import type { GitAppSearch } from './git-app-address.ts'

export interface OutcomeInWords {
  readonly isGood: boolean
  readonly title: string
  readonly sentence: string
}

/** What the way back from a provider did, as a person reads it. An unknown word is no markup and no promise. */
export function describeOutcome({ outcome, error }: GitAppSearch): OutcomeInWords | undefined {
  if (error !== undefined) {
    const [title, sentence] = wordsOf(ERROR_WORDS, error) ?? [
      `It ended with "${error}"`,
      'This page does not know the word.',
    ]
    return { isGood: false, title, sentence }
  }
  if (outcome === undefined) return undefined
  const known = wordsOf(OUTCOME_WORDS, outcome)
  if (known) return { isGood: true, title: known[0], sentence: known[1] }
  return { isGood: false, title: `It ended with "${outcome}"`, sentence: 'This page does not know the word.' }
}

function wordsOf<Words>(all: Readonly<Record<string, Words>>, word: string): Words | undefined {
  return Object.hasOwn(all, word) ? all[word] : undefined
}
