import { connect, type Socket } from 'node:net'

/** One HTTP/1.1 connection that sends whole requests and waits for the answer of each. */
export interface KeepAliveClient {
  /** Answers the status; rejects when the connection ends or the answer has no content-length. */
  send(request: Buffer): Promise<number>
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Less work per request than any HTTP client, so that the load takes little of the machine that it measures. */
export async function connectTo(port: number): Promise<KeepAliveClient> {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<number> | undefined
  const fail = (error: Error): void => {
    waiting?.reject(error)
    waiting = undefined
  }
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = received.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) return fail(new Error(`An answer without a content-length:\n${head}`))
    if (received.length < headEnd + HEAD_END.length + Number(length)) return
    received = Buffer.alloc(0)
    const answered = waiting
    waiting = undefined
    answered?.resolve(Number(head.slice(9, 12)))
  })
  socket.on('close', () => fail(new Error('The server closed the connection.')))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', fail)
  return {
    send(request) {
      waiting = Promise.withResolvers<number>()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}
