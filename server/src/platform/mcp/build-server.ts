import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type CompleteRequestParams,
  inputRequired,
  ProtocolError,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { entriesOf } from '@signalbox/contracts/http/requests'
import type { Log } from '#platform/log'
import { Problem } from '#platform/problems'
import { type Completion, type McpOffer, type OfferedTool, StateRefused, type ToolResult } from './offer.ts'

/** How the endpoint introduces itself. */
export interface McpIdentity {
  readonly name: string
  readonly title: string
  readonly version: string
  /** Constant words for the model: what the tools are for, and how to use them. */
  readonly instructions: string
}

const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603
/** The log has the error. */
const FAILED = 'The request failed because of an error on our side: send it again later.'
/** All tools, templates and prompts come in one page: a cursor was never given out. */
const NO_CURSOR = 'There is one page only: leave the cursor out.'
/** Lists differ by token and grants, so no cache may share them. */
const LIST_CACHE = { ttlMs: 30_000, cacheScope: 'private' } as const

/** The SDK's server. A test hands in one of its own, which answers what Signalbox has no use for, such as images. */
export type McpServerType = new (...options: ConstructorParameters<typeof Server>) => Server

/** What the sender of a message is offered, and how its program calls itself. */
export interface Offered {
  readonly offer: McpOffer
  readonly userAgent: string | undefined
}

/** Finds the sender of the message that a handler is called for. */
export type OfferOf = (context: ServerContext) => Offered

export interface Building {
  readonly offerOf: OfferOf
  readonly serverType: McpServerType
  /** Of protocol 2026-07-28: an answer may ask the person at the client, and the client then calls again. */
  readonly isModern: boolean
  readonly log: Log
}

/** The SDK's server. It offers each sender what that one is offered. */
export function buildServer(identity: McpIdentity, { offerOf, serverType, isModern, log }: Building): Server {
  const { name, title, version, instructions } = identity
  const server = new serverType(
    { name, title, version },
    {
      instructions,
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {} },
      cacheHints: {
        'tools/list': LIST_CACHE,
        'prompts/list': LIST_CACHE,
        'resources/list': LIST_CACHE,
        'resources/templates/list': LIST_CACHE,
      },
    },
  )
  server.setRequestHandler('tools/list', ({ params }, context) => {
    requireFirstPage(params?.cursor)
    return { tools: toTools(offerOf(context).offer.listTools()) }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { offer, userAgent } = offerOf(context)
    const request = {
      name: params.name,
      input: params.arguments ?? {},
      client: clientOf(context) ?? userAgent,
      opensPages: isModern && opensPages(context),
      state: isModern ? stateOf(context) : undefined,
      signal: context.mcpReq.signal,
    }
    const result = await asProtocolError(log, () => offer.callTool(request))
    if (!result) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name.slice(0, 100)}`)
    return toResult(result)
  })
  server.setRequestHandler('resources/list', ({ params }, context) => {
    requireFirstPage(params?.cursor)
    return { resources: [...offerOf(context).offer.listResources()] }
  })
  server.setRequestHandler('resources/templates/list', ({ params }, context) => {
    requireFirstPage(params?.cursor)
    return { resourceTemplates: [...offerOf(context).offer.listTemplates()] }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const { offer } = offerOf(context)
    const found = await asProtocolError(log, () => offer.readResource(uri, context.mcpReq.signal))
    if (!found) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...found }] }
  })
  server.setRequestHandler('prompts/list', ({ params }, context) => {
    requireFirstPage(params?.cursor)
    return {
      prompts: offerOf(context)
        .offer.listPrompts()
        .map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })),
    }
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const { offer } = offerOf(context)
    const text = await asProtocolError(log, async () => offer.getPrompt(params.name, params.arguments ?? {}))
    if (text === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${params.name.slice(0, 100)}`)
    return { messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { offer } = offerOf(context)
    const values = await asProtocolError(log, () => offer.complete(completionOf(params), context.mcpReq.signal))
    return { completion: { values: values.slice(0, 100), hasMore: values.length > 100 } }
  })
  return server
}

function requireFirstPage(cursor: string | undefined): void {
  if (cursor !== undefined) throw new ProtocolError(INVALID_PARAMS, NO_CURSOR)
}

/** By the list that a caller is offered: it is the same one for as long as their rights are. */
const listed = new WeakMap<readonly OfferedTool[], ReturnType<typeof toTool>[]>()

function toTools(offered: readonly OfferedTool[]): ReturnType<typeof toTool>[] {
  const tools = listed.get(offered) ?? offered.map(toTool)
  listed.set(offered, tools)
  return tools
}

function toTool({ meta, inputSchema, annotations, ...tool }: OfferedTool) {
  const isEmpty = Object.keys(meta).length === 0
  return {
    ...tool,
    inputSchema: { ...inputSchema },
    annotations: { ...annotations },
    ...(isEmpty ? {} : { _meta: { ...meta } }),
  }
}

function toResult({ opens, texts, structured, isError }: ToolResult) {
  if (opens) {
    const { state, ...page } = opens
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(page) }, requestState: state })
  }
  return {
    content: texts.map((text) => ({ type: 'text' as const, text })),
    isError,
    ...(structured ? { structuredContent: { ...structured } } : {}),
  }
}

/** What HTTP would answer as a problem, where the protocol knows errors only. No words of an unknown error go out. */
async function asProtocolError<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem)
      throw new ProtocolError(INVALID_PARAMS, error.message.slice(0, 1000), { code: error.code })
    // As the SDK words it.
    if (error instanceof StateRefused)
      throw new ProtocolError(INVALID_PARAMS, 'Invalid or expired requestState', { reason: 'invalid_request_state' })
    log.error({ err: error }, 'a request of an agent failed')
    throw new ProtocolError(INTERNAL_ERROR, FAILED)
  }
}

/** Of protocol 2026-07-28: each request says what its client can do. */
function opensPages(context: ServerContext): boolean {
  const elicitation = fieldOf(fieldOf(context.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY), 'elicitation')
  return fieldOf(elicitation, 'url') !== undefined
}

function stateOf(context: ServerContext): string | undefined {
  const state = context.mcpReq.requestState()
  // A test's own server reads states of its own.
  return state === undefined || typeof state === 'string' ? state : ''
}

/** Undefined where the value is no object, or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return new Map(entriesOf(value)).get(name)
}

/** Likewise, which client sent it. */
function clientOf(context: ServerContext): string | undefined {
  const info = fieldOf(context.mcpReq.envelope, CLIENT_INFO_META_KEY)
  if (typeof info !== 'object' || info === null || !('name' in info)) return undefined
  return 'version' in info ? `${String(info.name)} ${String(info.version)}` : String(info.name)
}

function completionOf({ ref, argument }: CompleteRequestParams): Completion {
  const of = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri }
  return { of, name: argument.name, value: argument.value }
}
