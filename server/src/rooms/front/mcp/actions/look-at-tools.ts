import type { McpCall, McpCallQuery, McpTool, McpToolQuery, McpTools } from '@signalbox/contracts/mcp'
import { addressOfApi } from '#platform/config'
import { type Caller, type Page, pageOf } from '#platform/http'
import { permissionsOf, placesOf, type Tool } from '#platform/tools'
import type { AuditRow } from '#rooms/foundation/audit'
import type { Means } from '../means.ts'
import { NOT_NARROWED } from '../rules/narrowing.ts'
import { listHidden } from './explain-hidden.ts'
import { toolsFor } from './offer-tools.ts'

const DAY_MS = 24 * 3_600_000

/** The tools as the caller is offered them, or as one of the tokens that the caller manages is. Throws not_found (404). */
export async function listToolsOf(
  means: Means,
  caller: Caller,
  { token_id: tokenId }: McpToolQuery,
): Promise<McpTools> {
  const { families } = means
  const seer = tokenId === undefined ? caller : await means.access.findTokenCaller(caller, tokenId)
  // To a token with limits, what its owner may is as hidden as the tools are.
  const mayKnowOwner = seer !== caller && !caller.token?.limits
  const owner = mayKnowOwner ? await means.access.subject(seer.kind, seer.id) : undefined
  const tools = toolsFor(means.tools, seer, { families, narrowing: NOT_NARROWED })
  return {
    address: `${addressOfApi(means.config)}/v1/mcp`,
    tools: tools.map((tool) => presentTool(tool, { seer, asker: caller })),
    hidden: listHidden(means.tools, new Set(tools), { seer, owner, families }),
  }
}

/** Calls of the last day: those of the caller, and all of them for whoever reads the audit of the platform. */
export function listCalls(means: Means, caller: Caller, query: McpCallQuery): Promise<Page<McpCall>> {
  const mayAll = caller.can('audit.read', '/')
  const since = new Date(means.clock.now().getTime() - DAY_MS)
  return pageOf(query, async (window) => {
    const rows = await means.audit.listRecords(means.database.kysely, {
      ...window,
      prefixes: ['/'],
      resourceKind: undefined,
      resourceId: undefined,
      actorId: mayAll ? undefined : caller.id,
      tokenId: query.token_id,
      action: { text: 'tool.called', isPrefix: false },
      since,
    })
    return rows.map(presentCall)
  })
}

interface Eyes {
  /** Whom the tools are offered to. */
  readonly seer: Caller
  /** Who looks at that. */
  readonly asker: Caller
}

/** Whoever manages a token need not see all teams where its owner has rights: those places are left out. */
function presentTool(tool: Tool, { seer, asker }: Eyes): McpTool {
  const { name, title, family, does, description } = tool
  const permissions = permissionsOf(tool)
  // What needs no permission tells of nobody's rights.
  const isSeen = (path: string): boolean => seer === asker || permissions.length === 0 || asker.can('team.read', path)
  return {
    name,
    title,
    family,
    does,
    description,
    permissions: [...new Set(permissions)],
    places: placesOf(permissions, seer).filter(isSeen),
  }
}

const OUTCOMES = ['answered', 'refused', 'failed', 'limited'] as const

function presentCall({ id, occurredAt, actorName, tokenId, resourceId, after }: AuditRow): McpCall {
  const told = new Map<string, unknown>(Object.entries(Object(after)))
  const client = told.get('client')
  const plan = told.get('plan_id')
  return {
    id,
    occurred_at: occurredAt.toISOString(),
    subject: actorName,
    token_id: tokenId,
    client: typeof client === 'string' ? client : null,
    tool: resourceId,
    outcome: OUTCOMES.find((each) => each === told.get('outcome')) ?? 'failed',
    bytes: Number(told.get('bytes') ?? 0),
    plan_id: typeof plan === 'string' ? plan : null,
  }
}
