import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { systemCode } from '../errors.ts'

/** Whether a server could listen there now; otherwise the system's code, such as EADDRINUSE. Port 0 is always free. */
export function findPortTrouble(host: string, port: number): Promise<string | undefined> {
  if (port === 0) return Promise.resolve(undefined)
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', (error) => settle(systemCode(error) ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => settle(undefined)))
  })
}

/** Below the ports that systems hand out by themselves: nobody gets it before the server that is yet to start. */
const FIRST_PORT = 10_000
const LAST_PORT = 32_000
const ATTEMPTS = 1000

/** A port on which nobody listens now, for a server that starts later. Throws where a thousand are taken. */
export async function findFreePort(host: string): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if ((await findPortTrouble(host, port)) === undefined) return port
  }
  throw new Error(`No port is free on ${host}.`)
}
