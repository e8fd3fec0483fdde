import type { Reaction } from '#adapters/forges'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import type { FloodAnswer } from './command-jobs.ts'

/** How long an answer that the provider does not take is tried. */
const PATIENCE_MS = 30 * 60_000

/** Tells the person what became of a decided command. Throws where a later try may succeed. */
export async function tellAnswer(means: Means, row: store.StoredCommand): Promise<void> {
  if (row.toldAt !== null || row.outcome === null) return
  const place = { sourceId: row.sourceId, repository: row.repository, number: row.pullRequest }
  const { reaction, text } = answerOf(row)
  const answer = await means.reports.answer(place, row.commentId, reaction, text)
  if (answer.outcome === 'failed' && answer.retry) {
    const age = means.clock.now().getTime() - row.receivedAt.getTime()
    if (age < PATIENCE_MS) throw new Error(answer.reason)
  }
  if (answer.outcome !== 'found') {
    const reason = answer.outcome === 'failed' ? answer.reason : 'The provider does not show the comment any more.'
    means.log.warn({ command: row.id, source: row.sourceId, reason }, 'a command in a comment was not answered')
  }
  means.failPoints.hit('commands.after_answer')
  await store.markTold(means.database.kysely, row.id, means.clock.now())
}

/** Nobody without a right has this service write, nor does whoever makes the provider fail. */
const WORDLESS: ReadonlySet<string> = new Set(['not_permitted', 'not_linked', 'provider_failed', 'edited', 'expired'])

/** A reaction says enough where everything went well, and to strangers. */
function answerOf({ state, outcome, reason, verb }: store.StoredCommand): { reaction: Reaction; text?: string } {
  const said = reason === null ? {} : { text: reason }
  if (outcome === 'answered') return { reaction: 'done', ...said }
  if (state === 'done') return { reaction: 'done' }
  if (outcome === 'malformed') return { reaction: 'confused', ...said }
  const isWordless = verb === null || (outcome !== null && WORDLESS.has(outcome))
  return isWordless ? { reaction: 'refused' } : { reaction: 'refused', ...said }
}

/** Says once that commands above the limit do not count. */
export async function answerFlood(means: Means, { commentId, ...place }: FloodAnswer): Promise<void> {
  const answer = await means.reports.answer(place, commentId, 'refused')
  if (answer.outcome === 'failed' && answer.retry) throw new Error(answer.reason)
}
