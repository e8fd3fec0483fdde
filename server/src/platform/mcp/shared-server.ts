import type { JSONRPCMessage, JSONRPCRequest, RequestId, Server, Transport } from '@modelcontextprotocol/server'
import type { Offered, OfferOf } from './build-server.ts'

/**
 * One server of the SDK for the requests of all older clients that ask for nothing but an answer: to build a server, a
 * transport, a Request and a Response for each costs more than the answer. The SDK validates and answers as it does
 * elsewhere. Each request gets an id of its own here, by which its handler finds what its sender is offered, so nothing of
 * one sender reaches another. What a server remembers of its client (`initialize`) and what has no id must not come here.
 */
export interface SharedServer {
  /** The answer as JSON; undefined where the signal ended the request first. */
  answer(request: JSONRPCRequest, offered: Offered, signal: AbortSignal): Promise<string | undefined>
  close(): Promise<void>
}

type Answered = Exclude<JSONRPCMessage, { method: string }>

interface Waiting {
  readonly offered: Offered
  readonly resolve: (answered: Answered | undefined) => void
}

export function openSharedServer(build: (offerOf: OfferOf) => Server): SharedServer {
  const waiting = new Map<RequestId, Waiting>()
  let lastId = 0
  const transport: Transport = {
    start: () => Promise.resolve(),
    // Without a stream nothing but the answer can be sent, such as progress.
    async send(message) {
      if (!('method' in message) && message.id !== undefined) waiting.get(message.id)?.resolve(message)
    },
    async close() {
      transport.onclose?.()
    },
  }
  const server = build(({ mcpReq }) => {
    const known = waiting.get(mcpReq.id)
    if (!known) throw new Error('the offer of this message is not known')
    return known.offered
  })
  const connected = server.connect(transport)

  return {
    async answer(request, offered, signal) {
      await connected
      if (signal.aborted) return undefined
      lastId += 1
      const id = lastId
      const { promise, resolve } = Promise.withResolvers<Answered | undefined>()
      waiting.set(id, { offered, resolve })
      const end = (): void => {
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
        resolve(undefined)
      }
      signal.addEventListener('abort', end, { once: true })
      try {
        transport.onmessage?.({ ...request, id })
        const answered = await promise
        return answered && toText(answered, request.id)
      } finally {
        signal.removeEventListener('abort', end)
        waiting.delete(id)
      }
    },
    close: () => server.close(),
  }
}

/** With the id that the client knows. */
function toText(answered: Answered, id: RequestId): string {
  if (!('result' in answered)) return JSON.stringify({ ...answered, id })
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultToText(answered.result)}}`
}

/** By the list of tools, which stays the same for a caller: to write it is most of the cost of its answer. */
const texts = new WeakMap<object, string>()

function resultToText(result: object): string {
  if (!('tools' in result) || !Array.isArray(result.tools) || Object.keys(result).length > 1)
    return JSON.stringify(result)
  const text = texts.get(result.tools) ?? JSON.stringify(result.tools)
  texts.set(result.tools, text)
  return `{"tools":${text}}`
}
