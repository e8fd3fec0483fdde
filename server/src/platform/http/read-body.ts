import type { IncomingMessage } from 'node:http'
import { platformProblem } from '#platform/problems'
import type { Clock } from '#platform/time'
import { closeSoftly } from './close-softly.ts'
import type { FairShares } from './fair-shares.ts'

/** The state that all bodies in reading share. */
export interface BodyReading {
  /** Bytes in memory, whose senders have proved nothing yet. */
  readonly bytes: FairShares
  readonly clock: Clock
}

/** The holder of the bytes that a body takes; `member`: one of several that share them. */
export interface BodyShare {
  readonly holder: string
  readonly member?: string | undefined
}

/**
 * The whole body as it came. A body that is too large is refused while it streams, so that one without a length cannot
 * fill memory. The connection is closed then, because the rest of the body is still on its way. Throws payload_too_large,
 * overloaded (503) when the share is spent, and invalid_request for a body that ended early.
 *
 * By events: an async iterator over the message is the same in one line, and costs a delivery as much as its signature.
 */
export function readBody(
  message: IncomingMessage,
  limit: number,
  { holder, member }: BodyShare,
  reading: BodyReading,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      closeSoftly(message, reading.clock)
      reject(error)
    }
    if (Number(message.headers['content-length'] ?? 0) > limit) return refuse(tooLarge(limit))
    if (message.destroyed) return reject(incomplete(message.errored))
    const chunks: Buffer[] = []
    let size = 0
    let taken = 0
    const end = (): void => {
      reading.bytes.giveBack(holder, taken, member)
      message.off('data', onData)
      message.off('end', onEnd)
      message.off('error', onError)
      message.off('close', onClose)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      const affordable = reading.bytes.take(holder, chunk.length, member)
      if (affordable) taken += chunk.length
      chunks.push(chunk)
      if (affordable && size <= limit) return
      end()
      refuse(size > limit ? tooLarge(limit) : overloaded())
    }
    const onEnd = (): void => {
      end()
      const [only] = chunks
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks, size))
    }
    const onError = (error: Error): void => {
      end()
      reject(isAborted(error) ? incomplete(error) : error)
    }
    const onClose = (): void => {
      end()
      reject(incomplete(null))
    }
    message.on('data', onData)
    message.on('end', onEnd)
    message.on('error', onError)
    message.on('close', onClose)
  })
}

function tooLarge(limit: number): Error {
  return platformProblem('payload_too_large', `The body is larger than ${limit} bytes.`, {
    headers: { connection: 'close' },
  })
}

function overloaded(): Error {
  return platformProblem('overloaded', 'Too many bodies are being received at once. Send the request again.', {
    headers: { connection: 'close', 'retry-after': '1' },
  })
}

function isAborted(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET'
}

function incomplete(cause: Error | null): Error {
  return platformProblem('invalid_request', 'The sender went away before the body was complete.', { cause })
}
