import type { FastifyInstance } from 'fastify'
import type { Clock } from '#platform/time'

export interface Closing {
  readonly clock: Clock
  /** Requests that are still in hand after this time are cut. */
  readonly graceMs: number
  readonly silent: { destroy(): void }
}

const IDLE_SWEEP_MS = 20

/** Stops accepting, lets requests in hand finish, and closes each connection as soon as it has none. */
export async function closeServer(app: FastifyInstance, { clock, graceMs, silent }: Closing): Promise<void> {
  const ended = new AbortController()
  const cut = clock.after(graceMs, () => app.server.closeAllConnections())
  const closed = app.close()
  silent.destroy()
  const sweeping = closeIdle(app, clock, ended.signal)
  await closed
  ended.abort()
  cut.cancel()
  await sweeping
}

/** A connection that was busy when the stop began would be kept open by its keep-alive after its last answer. */
async function closeIdle(app: FastifyInstance, clock: Clock, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    app.server.closeIdleConnections()
    await clock.sleep(IDLE_SWEEP_MS, ended)
  }
}
