import type { IncomingMessage } from 'node:http'
import { platformProblem } from '#platform/problems'

/**
 * The whole body as it came. Refuses while streaming, so that a body without a length cannot fill memory; the
 * connection is closed then, because the rest of the body is still on its way.
 */
export async function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0)
  if (declared > limit) throw tooLarge(limit)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    throw isAborted(error) ? incomplete(error) : error
  }
  const [only] = chunks
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, size)
}

function tooLarge(limit: number): Error {
  return platformProblem('payload_too_large', `The body is larger than ${limit} bytes.`, {
    headers: { connection: 'close' },
  })
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

function incomplete(cause: unknown): Error {
  return platformProblem('invalid_request', 'The sender went away before the body was complete.', { cause })
}
