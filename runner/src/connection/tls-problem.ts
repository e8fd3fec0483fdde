import { RunnerError } from '../errors.ts'
import type { GatewayAddress } from './address.ts'

// A certificate that is being replaced, or a gateway that is killed while it answers, looks the same once.
const BELIEVED_AFTER = 3

/**
 * A sentence that says why TLS fails and what to do. Undefined where `details` (of gRPC's status) tell of something
 * else. The texts are those of Node, OpenSSL and grpc-js; a test holds them.
 */
export function tlsProblem({ target, secure }: GatewayAddress, details: string): string | undefined {
  const cause = /Last error: (?:Error(?: \[\w+\])?: )?(.*?)\s*(?:;|\. Resolution note|$)/s.exec(details)?.[1] ?? ''
  if (!secure) {
    if (!cause.startsWith('Failed to connect')) return undefined
    return `The gateway at ${target} ended the connection without an answer in plain text. If it serves TLS, write --url https://${target}.`
  }
  if (/wrong version number|SSL routines/.test(cause)) {
    return `The gateway at ${target} does not speak TLS, and the runner was told to (--url). Is the port right?`
  }
  if (!/certificate|altnames/i.test(cause)) return undefined
  return `The certificate of the gateway at ${target} is not accepted (${cause}). Check the host name in --url, and that --ca-file holds the authority that signed it.`
}

/** Counts TLS problems in a row; throws `runner.tls_refused` when it can be no accident any more. */
export class TlsProblems {
  readonly #address: GatewayAddress
  #inARow = 0

  constructor(address: GatewayAddress) {
    this.#address = address
  }

  /** Returns what to say about a connection that failed with these details. */
  note(details: string): string {
    const problem = tlsProblem(this.#address, details)
    this.#inARow = problem === undefined ? 0 : this.#inARow + 1
    if (problem !== undefined && this.#inARow >= BELIEVED_AFTER) throw new RunnerError('runner.tls_refused', problem)
    return problem ?? details
  }
}
