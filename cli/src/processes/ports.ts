import { once } from 'node:events'
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

/** A port on which nobody listens now. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  await new Promise((settle) => server.close(settle))
  if (typeof address === 'object' && address) return address.port
  throw new Error(`No port is free on ${host}.`)
}
