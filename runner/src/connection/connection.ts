import type { ChannelCredentials } from '@grpc/grpc-js'
import { status } from '@grpc/grpc-js'
import { RunnerError } from '../errors.ts'
import { pause } from '../time/index.ts'
import type { GatewayAddress } from './address.ts'
import { backOff } from './back-off.ts'
import { GatewayClient } from './gateway-client.ts'
import type { SessionEnd, SessionNeeds } from './session.ts'
import { Session } from './session.ts'
import { TlsProblems, tlsProblem } from './tls-problem.ts'

export interface ConnectionOptions {
  address: GatewayAddress
  credentials: ChannelCredentials
  credential: string
}

/** Keeps a stream to the gateway, as long as the runner lives. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #needs: SessionNeeds
  readonly #closed = new AbortController()
  #session: Session | undefined
  #draining = false
  #renewing = false

  constructor(options: ConnectionOptions, needs: SessionNeeds) {
    this.#options = options
    this.#needs = needs
  }

  get connected(): boolean {
    return this.#session !== undefined
  }

  /** Draining, and no message can come any more: the stream is over, or there is none. */
  get finished(): boolean {
    if (!this.#draining || this.#needs.attempts.size > 0) return false
    return this.#session === undefined || this.#session.finished
  }

  wake(): void {
    this.#session?.wake()
  }

  drain(): void {
    this.#draining = true
    this.#session?.drain()
  }

  /** Greets the control plane anew: what this runner can run has changed. Attempts in hand go on. */
  greetAnew(): void {
    if (this.#session === undefined) return
    this.#renewing = true
    this.#session.close('The runner greets anew.')
  }

  close(): void {
    this.#closed.abort()
    this.#session?.close('The runner leaves.')
  }

  /** Connects, again and again, until `close`. Throws when the control plane refuses this runner for good. */
  async run(): Promise<void> {
    const { log, time } = this.#needs
    const { address } = this.#options
    const tlsProblems = new TlsProblems(address)
    let failures = 0
    let everWelcomed = false
    while (!this.#closed.signal.aborted) {
      const end = await this.#converse()
      if (this.#closed.signal.aborted) return
      if (this.#renewing) {
        this.#renewing = false
        continue
      }
      if (end.code === status.UNAUTHENTICATED) {
        throw new RunnerError(
          'runner.credential_refused',
          `The control plane does not accept this runner's credential (${end.reason}). Enrol it again: remove its work-dir and start it with a new token.`,
        )
      }
      if (end.welcomed) failures = 0
      everWelcomed ||= end.welcomed
      // Once it was right it will be again: certificates are replaced, and there may be tasks in hand.
      const reason = everWelcomed ? (tlsProblem(address, end.reason) ?? end.reason) : tlsProblems.note(end.reason)
      const waitMs = backOff(failures++, time.random())
      log.warn('no connection to the control plane; trying again', { reason, wait_ms: waitMs })
      await pause(time, waitMs, this.#closed.signal)
    }
  }

  async #converse(): Promise<SessionEnd> {
    const { address, credentials, credential } = this.#options
    using client = new GatewayClient(address, credentials)
    return await new Promise((resolve) => {
      this.#session = new Session(this.#needs, client.connect(credential), this.#draining, (end) => {
        this.#session = undefined
        resolve(end)
      })
    })
  }
}
