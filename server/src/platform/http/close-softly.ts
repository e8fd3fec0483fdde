import type { IncomingMessage } from 'node:http'
import type { Clock } from '#platform/time'

/** Long enough for the answer to arrive and for the sender to read it; so long its bytes are thrown away. */
const LINGER_MS = 5000

/**
 * For a request that is refused before its body is read, with an answer that says `connection: close`. The rest of the
 * body is thrown away for some seconds. A connection that is closed while bytes are on their way is reset, and its sender never
 * sees the answer.
 */
export function closeSoftly(message: IncomingMessage, clock: Clock): void {
  const { socket } = message
  message.resume()
  // Node calls `destroySoon` when the last answer is written; Node's own version closes in both directions.
  Object.defineProperty(socket, 'destroySoon', {
    configurable: true,
    value: () => {
      socket.end()
      const late = clock.after(LINGER_MS, () => socket.destroy())
      socket.once('close', () => late.cancel())
    },
  })
}
