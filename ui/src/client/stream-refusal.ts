import { awayBy } from './away.ts'
import type { ConnectionStore } from './connection.ts'
import { ApiProblem, isPassing } from './problem.ts'

/** How a stream is refused, with the text of the answer. */
export interface StreamRefusal {
  readonly problem: ApiProblem
  readonly text: string
}

/** How a stream is refused; undefined where it is not, or nobody answers. An EventSource itself is not told. */
export async function findRefusal(address: string): Promise<StreamRefusal | undefined> {
  const asking = new AbortController()
  try {
    const headers = { accept: 'text/event-stream' }
    const response = await fetch(address, { headers, signal: asking.signal, credentials: 'same-origin' })
    if (response.ok) return undefined
    const text = await response.text()
    return { text, problem: new ApiProblem(response.status, parse(text), response.headers) }
  } catch {
    return undefined
  } finally {
    asking.abort()
  }
}

/** What a refused stream says of the connection. `stream` names it, as several may be put off at once. */
export function noteRefusal(connection: ConnectionStore, stream: string, problem: ApiProblem, signIns: number): void {
  const away = awayBy(problem)
  if (away !== undefined) connection.lost(away)
  else if (isPassing(problem)) connection.putOff(stream)
  if (problem.status === 401) connection.signedOut(signIns)
}

/** A proxy may refuse by a page of its own. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
