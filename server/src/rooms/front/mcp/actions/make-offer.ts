import type { CallOrigin } from '#platform/http'
import type { McpOffer, OfferedResource, ToolRequest } from '#platform/mcp'
import { platformProblem } from '#platform/problems'
import { makeVisible } from '#platform/tools'
import { mcpProblem } from '../errors.ts'
import { keyOf } from '../limits/call-limits.ts'
import type { Means } from '../means.ts'
import type { Narrowing } from '../rules/narrowing.ts'
import { PROMPTS } from '../rules/prompts.ts'
import { DOCUMENT_URI, documentIn, SCHEMA_URI, templatesOf, viewOf } from '../rules/resources.ts'
import { auditCall } from './audit-call.ts'
import { type CalledTool, callTool } from './call-tool.ts'
import { completeValue } from './complete-value.ts'
import { requireState } from './seal-state.ts'

/** Everything that the caller of one message is offered. A hidden tool and a missing one are both undefined. */
export async function makeOffer(means: Means, origin: CallOrigin, narrowing: Narrowing): Promise<McpOffer> {
  const { caller } = origin
  const list = means.lists.of(caller, narrowing)
  const pages = await means.documents.list()
  const withSignal = (signal: AbortSignal): CallOrigin => ({ ...origin, signal })
  return {
    listTools: () => list.describe(),
    async callTool({ name, signal, ...request }) {
      const tool = list.byName.get(name)
      try {
        if (request.state !== undefined)
          requireState(means, caller, { tool: name, input: request.input }, request.state)
      } catch (error) {
        await auditRefused(means, withSignal(signal), { name, ...request })
        throw error
      }
      if (tool) return callTool(means, withSignal(signal), { tool, request })
      await auditRefused(means, withSignal(signal), { name, ...request })
      return undefined
    },
    listResources: () => [SCHEMA, ...pages.map(({ name, title }) => documentOf(name, title))],
    listTemplates: () => templatesOf(list.names),
    async readResource(uri, signal) {
      const page = documentIn(uri)
      if (page !== undefined) return asResource('text/markdown', await means.documents.read(page))
      if (uri === SCHEMA_URI) return asResource('application/schema+json', await readSchema(means, withSignal(signal)))
      const view = viewOf(uri)
      const tool = view && list.byName.get(view.tool)
      if (!tool) return undefined
      const request = { input: view.input, client: 'resources/read' }
      return asView(await callTool(means, withSignal(signal), { tool, request }))
    },
    listPrompts: () => PROMPTS.map(({ say: _, ...prompt }) => prompt),
    getPrompt(name, input) {
      const prompt = PROMPTS.find((each) => each.name === name)
      const missing = prompt?.arguments.find((argument) => argument.required && !input[argument.name]?.trim())
      if (missing) throw platformProblem('invalid_request', `The prompt ${name} needs ${missing.name}.`)
      return prompt?.say(input)
    },
    complete: (completion, signal) => completeValue(means, withSignal(signal), completion),
  }
}

/** A resource that the caller may not see, and one that is not there, are both absent. Throws what passes with time. */
function asView({ texts, outcome }: CalledTool): { mimeType: string; text: string } | undefined {
  switch (outcome) {
    case 'answered':
      return { mimeType: 'text/plain', text: texts.join('\n') }
    case 'refused':
      return undefined
    case 'limited':
      throw mcpProblem('mcp.too_many_calls', 'This token has made too many calls: read the resource again later.')
    case 'failed':
      throw platformProblem('overloaded', 'The resource cannot be read right now: read it again later.')
  }
}

/** Whoever tries a tool that is hidden, or a state that is made up, leaves a trace; a loop leaves one each minute. */
async function auditRefused(
  means: Means,
  origin: CallOrigin,
  { name, input, client }: Pick<ToolRequest, 'name' | 'input' | 'client'>,
): Promise<void> {
  if (!means.limits.noteRefused(`unknown ${keyOf(origin.caller)}`)) return
  const tool = makeVisible(name).slice(0, 100)
  await auditCall(means, origin, { tool, input, client, bytes: 0, outcome: 'refused', planId: null })
}

const SCHEMA: OfferedResource = {
  uri: SCHEMA_URI,
  name: 'pipeline-schema',
  title: 'Schema of pipeline documents',
  description: 'JSON Schema of a pipeline document.',
  mimeType: 'application/schema+json',
}

function documentOf(name: string, title: string): OfferedResource {
  const uri = `${DOCUMENT_URI}${name}`
  return { uri, name, title, description: 'A page of the documentation.', mimeType: 'text/markdown' }
}

async function readSchema(means: Means, origin: CallOrigin): Promise<string> {
  const { body } = await means.calls.call('getPipelineSchema', {}, origin)
  return JSON.stringify(body)
}

function asResource(mimeType: string, text: string | undefined): { mimeType: string; text: string } | undefined {
  return text === undefined ? undefined : { mimeType, text }
}
