import assert from 'node:assert/strict'
import type { Argument, Arguments, Question } from './question.ts'
import type { Facts } from './world.ts'

/** What came of one question. */
export interface Conversation {
  readonly answers: readonly string[]
  readonly tokens: number
}

export interface Endpoint {
  readonly url: string
  readonly token: string
}

const CHARACTERS_OF_A_TOKEN = 4

/** Asks as an agent would that knows the question, the list of tools and the answers, and nothing else. */
export async function converse(endpoint: Endpoint, question: Question, facts: Facts): Promise<Conversation> {
  const heard = [question.text(facts)]
  for (const asked of question.calls) {
    const input = inputOf(asked.arguments, heard)
    if (!input) break
    heard.push(await callTool(endpoint, asked.tool, input))
  }
  const answers = heard.slice(1)
  const characters = answers.reduce((sum, text) => sum + text.length, 0)
  return { answers, tokens: Math.ceil(characters / CHARACTERS_OF_A_TOKEN) }
}

/** Undefined where nothing that was heard holds what the call needs: the agent is at its end. */
function inputOf(wanted: Arguments, heard: readonly string[]): Record<string, unknown> | undefined {
  const entries = Object.entries(wanted).map(([name, value]) => [name, valueOf(value, heard)] as const)
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

function valueOf(value: Argument, heard: readonly string[]): unknown {
  if (typeof value !== 'object') return value
  if ('word' in value) return value.word
  if ('fields' in value) return inputOf(value.fields, heard)
  // The newest place counts: an answer says more than the question did.
  const match = heard.toReversed().flatMap((text) => value.expression.exec(text)?.[1] ?? [])[0]
  if (match !== undefined) assert.ok(heard.some((text) => text.includes(match)))
  return match
}

/** One `tools/call` of a plain JSON client: the text of the answer, or of the error. */
export async function callTool({ url, token }: Endpoint, name: string, input: object): Promise<string> {
  const response = await fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const body: unknown = await response.json()
  const result: unknown = Object(body).result
  if (result === undefined) return JSON.stringify(Object(body).error ?? body)
  const content: readonly { readonly text: string }[] = Object(result).content
  return content.map(({ text }) => text).join('\n')
}
