import type { Tool } from '#platform/tools'
import { getDeliveryTool, listDeliveriesTool } from './deliveries.ts'
import { explainPushTool } from './explain-push.ts'
import { simulateTriggerTool } from './simulate-trigger.ts'
import { listSourcesTool } from './sources.ts'

export const sourceTools: readonly Tool[] = [
  explainPushTool,
  listDeliveriesTool,
  getDeliveryTool,
  listSourcesTool,
  simulateTriggerTool,
]
