import type { ForgeAnswer, Reaction } from '#adapters/forges'
import type { Queryable } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { AboveSources } from '#rooms/causes/sources'
import { answerComment } from './actions/answer-comment.ts'
import { knowCommented } from './actions/know-commented.ts'
import { createPauses } from './actions/pause-calls.ts'
import { refreshComment, reporting } from './actions/queue-reports.ts'
import { reportJobs } from './jobs.ts'
import type { Asked, Means } from './means.ts'
import { createReportMetrics } from './metrics.ts'
import { reportReactions } from './reactions.ts'
import { reportRoutes } from './routes.ts'
import type { PullRequestPlace } from './rules/index.ts'

export type { PullRequestPlace } from './rules/index.ts'

export interface Reports extends AboveSources {
  /**
   * Queues the writing of the pull request's comment as things stand when it is written, with the caller's transaction.
   * The comment is made where there is none, unless it would say nothing. It is written at most once a minute.
   */
  refreshComment(db: Queryable, place: PullRequestPlace): Promise<void>
  /**
   * Answers a comment of a person: by a reaction where the provider has them. With `text`, or without reactions, the
   * pull request's own comment says it, within a minute. `text` is one line, shown so that names from outside in it
   * cannot become markup. Called again for the same comment it changes the answer.
   */
  answer(place: PullRequestPlace, commentId: string, reaction: Reaction, text?: string): Promise<ForgeAnswer<null>>
}

export const reports = defineRoom<Reports, Asked>({
  name: 'causes/reports',
  open(kit, asked) {
    const means: Means = {
      ...kit,
      ...asked,
      reportMetrics: createReportMetrics(kit.metrics),
      pauses: createPauses(kit.clock),
      commented: knowCommented(kit),
    }
    return {
      door: {
        reporting: (started) => reporting(means, started),
        refreshComment: (db, place) => refreshComment(means, db, place),
        answer: (place, commentId, reaction, text) => answerComment(means, place, { commentId, reaction, text }),
      },
      routes: reportRoutes(means),
      jobs: reportJobs(means),
      reactions: reportReactions(means),
    }
  },
})
