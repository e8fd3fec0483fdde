import { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import type { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import { CommandFailed } from '../errors.ts'
import { fieldsOf } from './message.ts'
import { readAnswer } from './read-answer.ts'

/** What a tool answered. */
export interface ToolAnswer {
  readonly result: unknown
  readonly texts: readonly string[]
  /** The status that HTTP would answer, where the tool was refused or failed. */
  readonly refusedWith: number | undefined
}

/** Calls a tool as a plain JSON client. Throws ApiProblem, Unreachable, and CommandFailed for a tool that is not offered. */
export async function callTool(client: Client, name: string, input: object): Promise<ToolAnswer> {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  const headers = { accept: 'application/json, text/event-stream' }
  const response = await client.post(mcpRoutes.callMcp, message, { headers })
  for await (const line of readAnswer(response)) {
    const answer = fieldsOf(JSON.parse(line))
    if (answer.has('error')) throw refusal(fieldsOf(answer.get('error')))
    if (answer.has('result')) return readResult(answer.get('result'))
  }
  throw new ApiProblem(response.status, undefined)
}

function refusal(error: ReadonlyMap<string, unknown>): CommandFailed {
  const remedy = '`signalbox mcp tools` lists the tools that your token can use.'
  return new CommandFailed('notFound', String(error.get('message') ?? 'The endpoint refused the call.'), remedy)
}

function readResult(result: unknown): ToolAnswer {
  const fields = fieldsOf(result)
  const content = fields.get('content')
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const texts = parts.map((part) => fieldsOf(part).get('text')).filter((text) => typeof text === 'string')
  return { result, texts, refusedWith: fields.get('isError') === true ? statusIn(texts[0]) : undefined }
}

function statusIn(facts: string | undefined): number {
  try {
    const status = fieldsOf(fieldsOf(JSON.parse(facts ?? '')).get('error')).get('status')
    return typeof status === 'number' ? status : 500
  } catch {
    return 500
  }
}
