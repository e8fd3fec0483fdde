import { addressOfApi, addressOfPages } from '#platform/config'
import { systemCaller } from '#platform/http'
import { createMcpEndpoint } from '#platform/mcp'
import { defineRoom } from '#platform/room'
import { createInputCheck } from '#platform/tools'
import { type DescribedTool, describeTool, describeWholly, toolsFor } from './actions/offer-tools.ts'
import { mcpProblem } from './errors.ts'
import { createCallLimits } from './limits/call-limits.ts'
import { createToolLists } from './lists/tool-lists.ts'
import type { Asked, Means } from './means.ts'
import { createCallMetrics } from './metrics.ts'
import { mcpRoutes } from './routes.ts'
import { INSTRUCTIONS } from './rules/instructions.ts'
import { requireSoundTools } from './rules/sound-tools.ts'

export type { DescribedTool } from './actions/offer-tools.ts'

export interface Mcp {
  /**
   * Throws where a tool names a route that the house has not, or names it wrongly, or where two tools share a name. Asked once
   * all rooms are open.
   */
  requireSoundTools(): void
  /** Every tool, whoever may use it: for the documents and for tests. */
  describeTools(): readonly DescribedTool[]
}

const EVERYBODY = systemCaller('everybody')
const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

export const mcp = defineRoom<Mcp, Asked>({
  name: 'front/mcp',
  open(kit, asked) {
    const { config, log, clock } = kit
    const identity = { name: 'signalbox', title: 'Signalbox', version: asked.version, instructions: INSTRUCTIONS }
    const endpoint = createMcpEndpoint(identity, log, asked.serverType)
    const tools = asked.tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const families = new Set(config.mcpFamilies)
    const means: Means = {
      ...kit,
      ...asked,
      tools,
      endpoint,
      limits: createCallLimits(clock),
      lists: createToolLists({
        offer: (caller, narrowing) => toolsFor(tools, caller, { families, narrowing }),
        describe: describeTool,
      }),
      callMetrics: createCallMetrics(kit),
      families,
      pages: addressOfPages(config),
      checkInput: createInputCheck(),
    }
    const origins = [addressOfApi(config), addressOfPages(config)].map((address) => new URL(address).origin)
    const stopListening = asked.access.authenticator.onChange(() => endpoint.toolsChanged())
    return {
      door: {
        requireSoundTools: () => requireSoundTools(tools, (name) => asked.calls.find(name)),
        describeTools: () => tools.map((tool) => describeWholly(tool, EVERYBODY)),
      },
      routes: mcpRoutes(means, { origins, isLocal: LOOPBACK.includes(config.host) }),
      problems: [mcpProblem],
      async close() {
        stopListening()
        await endpoint.close()
      },
    }
  },
})
