import type { Tool } from '#platform/tools'
import { confirmTool } from './confirm.ts'
import { definitionTools } from './definitions.ts'
import { runTools } from './runs.ts'

/** Every write of an agent: planned by one of these, and confirmed by the last. */
export const planTools: readonly Tool[] = [...runTools, ...definitionTools, confirmTool]
