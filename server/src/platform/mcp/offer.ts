/** A tool as a client of the protocol is told of it. */
export interface OfferedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly meta: Readonly<Record<string, unknown>>
}

/** The answer of a tool: texts, and for programs the facts as a value. */
export interface ToolResult {
  /** Instead of all else: the client shows its person a page, and then calls again with the state. */
  readonly opens?: OpenedPage
  readonly texts: readonly string[]
  readonly structured?: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

/** A page for the person at the client (elicitation by URL). */
export interface OpenedPage {
  readonly url: string
  readonly message: string
  /** Comes back with the next call; whoever sends it may have made it up. */
  readonly state: string
}

/** The state of a call is none that was given out to this caller, for this call, and lasts. */
export class StateRefused extends Error {
  override readonly name = 'StateRefused'
}

/** The parts of a message that a call of a tool may want to know. */
export interface ToolRequest {
  readonly name: string
  readonly input: unknown
  /** How the client calls itself, and its version; undefined where it does not say so. */
  readonly client: string | undefined
  /** The client says that it can show its person a page. */
  readonly opensPages: boolean
  /** Comes with a call that is made again. What the client says the person did is not read: the client is the agent. */
  readonly state: string | undefined
  readonly signal: AbortSignal
}

export interface OfferedResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

export interface OfferedTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

export interface OfferedPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
}

/** A value that a client asks to be completed: of a prompt's argument, or of a variable of a template. */
export interface Completion {
  readonly of: { readonly prompt: string } | { readonly template: string }
  readonly name: string
  readonly value: string
}

/** Everything that one caller is offered; made for each message. */
export interface McpOffer {
  listTools(): readonly OfferedTool[]
  /** Undefined: there is no such tool, or the caller is not offered it. Throws StateRefused. */
  callTool(request: ToolRequest): Promise<ToolResult | undefined>
  listResources(): readonly OfferedResource[]
  listTemplates(): readonly OfferedTemplate[]
  /** Undefined: there is no such resource, or the caller may not see it. */
  readResource(
    uri: string,
    signal: AbortSignal,
  ): Promise<{ readonly mimeType: string; readonly text: string } | undefined>
  listPrompts(): readonly OfferedPrompt[]
  /** The text of a message to the model; undefined: there is no such prompt. Throws a Problem for wrong arguments. */
  getPrompt(name: string, input: Readonly<Record<string, string>>): string | undefined
  /** At most 100 values that begin so. */
  complete(completion: Completion, signal: AbortSignal): Promise<readonly string[]>
}
