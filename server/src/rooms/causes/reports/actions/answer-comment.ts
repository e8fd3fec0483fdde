import type { ForgeAnswer, Reaction } from '#adapters/forges'
import type { Means } from '../means.ts'
import type { PullRequestPlace } from '../rules/index.ts'
import { addAnswer } from '../store/sticky-comments.ts'
import { refreshComment } from './queue-reports.ts'
import { withinTime } from './within-time.ts'

export interface WantedAnswer {
  readonly commentId: string
  readonly reaction: Reaction
  readonly text?: string | undefined
}

/** The comment of a pull request is no list of all that anybody ever asked. */
const MOST_ANSWERS = 5

const WORDS: Readonly<Record<Reaction, string>> = {
  seen: 'Heard.',
  done: 'Done.',
  refused: 'Refused.',
  confused: 'Not understood.',
}

/** By a reaction; with a text, and where the provider has no reactions, in the comment of the pull request. */
export async function answerComment(
  means: Means,
  place: PullRequestPlace,
  { commentId, reaction, text }: WantedAnswer,
): Promise<ForgeAnswer<null>> {
  const source = await means.sources.findTold(means.database.kysely, place.sourceId)
  const comments = source && means.forges.find(source.provider)?.comments
  const baseUrl = source?.baseUrl
  if (!source || !comments || baseUrl === undefined) {
    const reason = 'The source or its address is gone, or its provider has no comments.'
    return { outcome: 'failed', reason, retry: false }
  }
  const { react } = comments
  if (text !== undefined || react === null) {
    await means.database.transaction(async (tx) => {
      const answer = { commentId, reaction, text: text ?? WORDS[reaction] }
      await addAnswer(tx, place, answer, { marker: crypto.randomUUID(), most: MOST_ANSWERS })
      await refreshComment(means, tx, place)
    })
  }
  if (react === null) return { outcome: 'found', value: null }
  const { teamPath, checkoutCredentialRef: ref } = source
  const wish = { ref, teamPath, repository: place.repository, uses: ['comments'], baseUrl } as const
  return await withinTime(means, new AbortController().signal, (ends) =>
    means.gitApps.call(wish, ends, (token) => react({ baseUrl, token, signal: ends }, place, commentId, reaction)),
  )
}
