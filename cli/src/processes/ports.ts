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
