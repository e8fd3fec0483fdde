import { connect, type Socket } from 'node:net'

// Started by a benchmark: many connections that send a byte a second, half of them within the head of a request and
// half within its body. Says when all have begun, and the second time how long each was let live.

const [port = '', path = '', connections = '0'] = process.argv.slice(2)
const BODY = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`
const HEAD = `POST ${path} HTTP/1.1\r\nhost: a\r\nx-slow: a`

interface Slow {
  readonly socket: Socket
  /** Milliseconds from its first byte to its end. */
  readonly ended: Promise<number>
}

async function open(at: number): Promise<Slow> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  await new Promise((resolve) => socket.once('connect', resolve))
  const begun = performance.now()
  socket.write(at % 2 === 0 ? HEAD : BODY)
  return { socket, ended: new Promise((resolve) => socket.once('close', () => resolve(performance.now() - begun))) }
}

const all: Slow[] = []
for (let at = 0; at < Number(connections); at += 1) all.push(await open(at))
const drip = setInterval(() => {
  for (const { socket } of all) if (socket.writable) socket.write('a')
}, 1000)
process.on('disconnect', () => process.exit(0))
process.send?.('begun')
const lives = await Promise.all(all.map(({ ended }) => ended))
clearInterval(drip)
process.send?.(lives.reduce((most, life) => Math.max(most, life), 0))
