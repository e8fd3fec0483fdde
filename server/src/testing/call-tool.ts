import assert from 'node:assert/strict'
import type { TestHouse } from './test-house.ts'

/** What an agent reads of one call: the facts, parsed, and the envelopes with the words of others. */
export interface CalledTool {
  /** They differ by tool, and a test reads a few of them. */
  readonly facts: ReturnType<typeof JSON.parse>
  readonly envelopes: string
  readonly isError: boolean
  /** The whole answer without its ids and marks, and without these words: to compare two answers. */
  without(...words: readonly string[]): string
}

/** Calls a tool at POST /v1/mcp, as a plain JSON client does. */
export async function callTool(house: TestHouse, token: string, name: string, input: object): Promise<CalledTool> {
  const answer = await house.http.app.inject({
    method: 'POST',
    url: '/v1/mcp',
    headers: { authorization: `Bearer ${token}`, host: '127.0.0.1:8080' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const { result, error } = answer.json()
  assert.ok(result, JSON.stringify(error))
  const texts: string[] = result.content.map(({ text }: { text: string }) => text)
  const [facts = '{}', ...envelopes] = texts
  return {
    facts: JSON.parse(facts),
    envelopes: envelopes.join('\n'),
    isError: result.isError === true,
    without: (...words) =>
      words
        .reduce((text, word) => text.replaceAll(word, ''), texts.join('\n'))
        .replaceAll(/[0-9a-f]{32}|[0-9a-f-]{36}/g, ''),
  }
}
