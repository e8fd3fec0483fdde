import type { IncomingMessage } from 'node:http'
import { platformProblem } from '#platform/problems'

/**
 * The whole body as it came. Refuses while streaming, so that a body without a length cannot fill memory; the
 * connection is closed then, because the rest of the body is still on its way.
 *
 * By events: an async iterator over the message is the same in one line, and costs a delivery as much as its signature.
 */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(message.headers['content-length'] ?? 0) > limit) return reject(tooLarge(limit))
    if (message.destroyed) return reject(incomplete(message.errored))
    const chunks: Buffer[] = []
    let size = 0
    const end = (): void => {
      message.off('data', onData)
      message.off('end', onEnd)
      message.off('error', onError)
      message.off('close', onClose)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      end()
      message.pause()
      reject(tooLarge(limit))
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

function isAborted(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET'
}

function incomplete(cause: Error | null): Error {
  return platformProblem('invalid_request', 'The sender went away before the body was complete.', { cause })
}
