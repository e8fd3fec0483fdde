import { setTimeout as sleep } from 'node:timers/promises'

/** The public API as any client would call it. */
export interface Api {
  readonly url: string
  readonly token: string
  /** Answers status and parsed body whatever the status is; rejects only when no answer comes, or none within a minute. */
  ask(method: string, path: string, body?: unknown): Promise<ApiAnswer>
  /** Answers the body of a 2xx; throws with the problem otherwise. Comes back where grants cannot be read for a moment. */
  get<T>(path: string): Promise<T>
  send<T>(method: string, path: string, body?: unknown): Promise<T>
  as(token: string): Api
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

const NO_ANSWER_MS = 60_000
/** The copy of the grants is too old where the machine stood still: nothing was done, and the client is to come back. */
const NOT_NOW = 'authorization_unavailable'
const COME_BACK_MS = 500
const PATIENCE_MS = 30_000

export function createApi(url: string, token: string): Api {
  const ask = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(NO_ANSWER_MS),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: parse(text), headers: response.headers }
  }
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const asked = performance.now()
    let answer = await ask(method, path, body)
    while (isNotNow(answer) && performance.now() - asked < PATIENCE_MS) {
      await sleep(COME_BACK_MS)
      answer = await ask(method, path, body)
    }
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  return { url, token, ask, send, get: (path) => send('GET', path), as: (other) => createApi(url, other) }
}

function isNotNow({ status, body }: ApiAnswer): boolean {
  return status === 503 && typeof body === 'object' && body !== null && 'code' in body && body.code === NOT_NOW
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
