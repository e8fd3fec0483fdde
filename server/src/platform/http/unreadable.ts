import type { Socket } from 'node:net'
import type { Ids } from '#platform/ids'
import { type Problem, platformProblem } from '#platform/problems'
import type { AnswerHeaders } from './answer-headers.ts'
import { problemBody } from './problem-body.ts'

/**
 * Answers bytes that Node's parser could not read as a request; RFC 9110 asks for an answer where one can be given. The
 * connection ends then, because nobody knows where the next request begins.
 */
export function createUnreadableHandler(ids: Ids, headers: AnswerHeaders): (error: Error, socket: Socket) => void {
  return (error, socket) => {
    const code = 'code' in error ? error.code : undefined
    // Bytes of an answer may be on their way already: a second one between them would be read as part of the first.
    if (code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    socket.end(lastAnswer(toProblem(code), ids, headers), () => socket.destroy())
  }
}

/** For a client that speaks plain HTTP to a port of TLS. */
export function answerPlain(ids: Ids, headers: AnswerHeaders): string {
  const detail = 'This port speaks HTTPS: begin the address with https://.'
  return lastAnswer(platformProblem('invalid_request', detail), ids, headers)
}

/** A whole answer as bytes, after which the connection ends. */
function lastAnswer(problem: Problem, ids: Ids, headers: AnswerHeaders): string {
  const requestId = ids.next()
  const body = JSON.stringify(problemBody(problem, requestId))
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function toProblem(code: unknown): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return platformProblem('head_too_large', 'The address and the headers are larger than 16 KiB: send less.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return platformProblem('request_timeout', 'The request did not arrive in time: send it again, faster.')
    default:
      return platformProblem('invalid_request', 'The bytes are not an HTTP request that can be read.')
  }
}

/** Node keeps the response that has the socket in hand there; nothing public tells. */
function isAnswering(socket: Socket): boolean {
  const message: unknown = '_httpMessage' in socket ? socket._httpMessage : undefined
  return typeof message === 'object' && message !== null && 'headersSent' in message && message.headersSent === true
}
