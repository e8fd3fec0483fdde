import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The treatment of bytes on the way between two processes. */
export type Weather =
  | { readonly kind: 'fair' }
  /** Bytes are dropped silently: connections stay open, and new ones are accepted and lead nowhere. */
  | { readonly kind: 'partition' }
  /** Bytes of the client pass; answers do not. */
  | { readonly kind: 'half_open' }
  /** Everything comes later by so much. */
  | { readonly kind: 'slow'; readonly delayMs: number }

/** A way over TCP: each new connection goes to the first place that takes it, beginning with another one each time. */
export interface Proxy {
  readonly port: number
  /** Bytes that were held back are sent on once the weather is fair again, as TCP would. */
  setWeather(weather: Weather): void
  /** Ends every connection by a reset. */
  cut(): void
  connections(): number
  close(): void
}

type Pass = (sender: 'client' | 'place', chunk: Buffer, to: Socket) => void

export async function startProxy(ports: () => readonly number[]): Promise<Proxy> {
  let weather: Weather = { kind: 'fair' }
  let turn = 0
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []

  const pass: Pass = (sender, chunk, to) => {
    const send = (): void => void (to.writable && to.write(chunk))
    if (weather.kind === 'partition' || (weather.kind === 'half_open' && sender === 'place')) held.push(send)
    else if (weather.kind === 'slow') setTimeout(send, weather.delayMs)
    else send()
  }

  async function lead(client: Socket): Promise<void> {
    keep(client, sockets)
    const early: Buffer[] = []
    const wait = (chunk: Buffer): void => void early.push(chunk)
    client.on('data', wait)
    turn += 1
    const place = await reach(ports(), turn)
    if (!place) return void client.resetAndDestroy()
    // A client that has gone tells nobody any more.
    if (client.destroyed) return void place.destroy()
    keep(place, sockets)
    client.off('data', wait)
    join(client, place, pass)
    for (const chunk of early) pass('client', chunk, place)
  }

  const server = createServer((client) => {
    client.on('error', () => undefined)
    const begin = (): void => {
      if (!client.destroyed) void lead(client)
    }
    if (weather.kind === 'partition') held.push(begin)
    else begin()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const cut = (): void => {
    held.length = 0
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: address.port,
    setWeather(next) {
      weather = next
      if (next.kind !== 'partition' && next.kind !== 'half_open') for (const send of held.splice(0)) send()
    },
    cut,
    connections: () => sockets.size,
    close() {
      server.close()
      cut()
    },
  }
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => void sockets.delete(socket))
}

/** How one side ends is told to the other one. */
function join(client: Socket, place: Socket, pass: Pass): void {
  client.on('data', (chunk: Buffer) => pass('client', chunk, place))
  place.on('data', (chunk: Buffer) => pass('place', chunk, client))
  client.on('close', () => place.destroy())
  place.on('close', () => client.destroy())
}

async function reach(ports: readonly number[], turn: number): Promise<Socket | undefined> {
  for (let at = 0; at < ports.length; at += 1) {
    const port = ports[(turn + at) % ports.length]
    if (port === undefined) continue
    const socket = connect({ port, host: '127.0.0.1' })
    const reached = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (reached) return socket
  }
  return undefined
}
