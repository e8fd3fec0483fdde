import type { Queryable } from '#platform/database'
import { defineRoom } from '#platform/room'
import { type ArrivedChunk, appendLines } from './actions/append-lines.ts'
import { type LogRouteNeeds, logRoutes } from './routes.ts'
import { nextLines } from './store.ts'

export type { ArrivedChunk } from './actions/append-lines.ts'

export interface Logs {
  /**
   * Stores lines that follow what is stored; answers the first line not stored, by attempt. Lines known already are
   * passed over, lines behind a gap are refused.
   */
  append(db: Queryable, chunks: readonly ArrivedChunk[]): Promise<Map<string, number>>
  /** The first line not stored, by attempt; one without lines is left out. */
  nextLines(db: Queryable, attemptIds: readonly string[]): Promise<Map<string, number>>
}

export const logs = defineRoom<Logs, LogRouteNeeds>({
  name: 'execution/logs',
  open: (kit, needs) => ({ door: { append: appendLines, nextLines }, routes: logRoutes(kit, needs) }),
})
