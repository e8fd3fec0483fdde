import { createParser } from 'eventsource-parser'
import { ApiProblem } from '../client/problem.ts'

/**
 * The messages of an answer of the endpoint, each on one line as it comes: one JSON document, or server-sent events. None
 * for an answer without a body. Throws ApiProblem for what is no answer of the protocol.
 */
export async function* readAnswer(response: Response): AsyncGenerator<string> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body) {
    yield* readEvents(response.body)
    return
  }
  const text = await response.text()
  if (text.trim() === '' && response.ok) return
  const message = type.startsWith('application/json') ? asMessage(text) : undefined
  if (message === undefined) throw new ApiProblem(response.status, asDocument(text))
  yield message
}

async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    for (const data of waiting.splice(0)) {
      const message = asMessage(data)
      if (message !== undefined) yield message
    }
  }
}

/** The text on one line; undefined where it is no message of JSON-RPC. */
function asMessage(text: string): string | undefined {
  const document = asDocument(text)
  const [first]: readonly unknown[] = Array.isArray(document) ? document : [document]
  const isMessage = typeof first === 'object' && first !== null && 'jsonrpc' in first
  if (!isMessage) return undefined
  const line = text.trim()
  // A line break stands in JSON between tokens alone.
  return line.includes('\n') || line.includes('\r') ? JSON.stringify(document) : line
}

function asDocument(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
