import type { Queryable } from '#platform/database'
import { type Doors, defineRoom } from '#platform/room'
import { type ArrivedChunk, appendLines, giveUpLines } from './actions/append-lines.ts'
import { type FoundTexts, findTexts } from './actions/find-texts.ts'
import { logProblem } from './errors.ts'
import { logJobs } from './jobs.ts'
import type { Means } from './means.ts'
import { logRoutes } from './routes.ts'
import { nextLines } from './store/chunks.ts'
import { logTools } from './tools.ts'

export type { ArrivedChunk } from './actions/append-lines.ts'
export type { FoundTexts } from './actions/find-texts.ts'

export interface Logs {
  /**
   * Stores lines that follow what is stored; answers the first line not stored, by attempt. Lines known already are
   * passed over, lines behind a gap are refused unless their runner has lost what is before.
   */
  append(db: Queryable, chunks: readonly ArrivedChunk[]): Promise<Map<string, number>>
  /**
   * Marks lines of an attempt as lost, up to `lineCount` in all: its runner wrote so many, and has no more of them. Answers
   * the first line not stored.
   */
  giveUp(
    db: Queryable,
    attempt: { readonly runId: string; readonly attemptId: string },
    lineCount: number,
  ): Promise<number>
  /** The first line not stored, by attempt; one without lines is left out. */
  nextLines(db: Queryable, attemptIds: readonly string[]): Promise<Map<string, number>>
  /**
   * The lines of a run that fit an expression of RE2, of the last attempt of each task, at most `limit`. Values that are
   * hidden from readers are hidden here too.
   */
  findTexts(runId: string, expression: string, limit: number): Promise<FoundTexts>
}

export const logs = defineRoom<Logs, Doors<Means>>({
  name: 'execution/logs',
  open(kit, needs) {
    const means: Means = { ...kit, ...needs }
    const limits = { lines: kit.config.logLimitLines, bytes: kit.config.logLimitBytes }
    return {
      door: {
        append: (db, chunks) => appendLines(db, chunks, limits),
        giveUp: (db, attempt, lineCount) => giveUpLines(db, attempt, lineCount),
        nextLines,
        findTexts: (runId, expression, limit) => findTexts(means, runId, { expression, limit }),
      },
      problems: [logProblem],
      routes: logRoutes(means),
      jobs: logJobs(means),
      tools: logTools,
    }
  },
})
