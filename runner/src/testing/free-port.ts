import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// The ports lie below those that systems hand out by themselves. Otherwise another connection or server could get the
// port before the listener starts, or while it is away.
const first = 10_000
const last = 32_000
const given = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A port of 127.0.0.1 for a server that is stopped and started again, the same for nobody else in this process. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(first, last)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}
