import type { RouteCalls } from '#platform/http'
import type { Documents, McpEndpoint, McpServerType } from '#platform/mcp'
import type { Kit } from '#platform/room'
import type { Tool } from '#platform/tools'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { CallLimits } from './limits/call-limits.ts'
import type { ToolLists } from './lists/tool-lists.ts'
import type { CallMetrics } from './metrics.ts'

/** The parts that house.ts hands in. */
export interface Asked {
  readonly access: Access
  readonly audit: Audit
  /** Calls the routes of all rooms in process. */
  readonly calls: RouteCalls
  /** The tools of all rooms. */
  readonly tools: readonly Tool[]
  readonly documents: Documents
  /** Of the service. */
  readonly version: string
  /** A test's own. */
  readonly serverType?: McpServerType | undefined
}

/** For the actions of this room. */
export interface Means extends Kit, Asked {
  readonly endpoint: McpEndpoint
  readonly limits: CallLimits
  readonly lists: ToolLists
  readonly callMetrics: CallMetrics
  readonly families: ReadonlySet<string>
  /** The address of the pages, without a slash at its end. */
  readonly pages: string
  /** Checks the input of a tool. Throws invalid_request (400), which names the field. */
  checkInput(tool: Tool, input: unknown): unknown
}
