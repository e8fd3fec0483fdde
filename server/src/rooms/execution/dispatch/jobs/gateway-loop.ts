import { isUnavailable } from '#platform/database'
import type { Loop } from '#platform/room'
import type { Dispatcher } from '../dispatcher/dispatcher.ts'
import type { Means } from '../means.ts'

const POLL_MS = 1000
/** The stream of a removed runner ends within 5 s, also where the notification was lost or the table could not be read. */
const RUNNERS_MS = 3000

/**
 * Keeps the dispatcher of a process with streams awake: by NOTIFY at once, by looking each second for what a lost
 * notification would have told. On its end every stream is ended; runners keep their attempts and come back.
 */
export function createGatewayLoop(means: Means, dispatcher: Dispatcher): Loop {
  const { sessions } = means
  let asked = 0
  let heard = 0
  let listedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    const db = means.database.kysely
    if (sessions.places().length === 0) return
    const { queued, waiting } = await means.runs.progress.listLanes(db)
    dispatcher.hint(queued, waiting)
  }

  /** A workspace that the tasks of a step share can go once the step is over; also where its runner was away meanwhile. */
  async function tellOver(): Promise<void> {
    const ids = sessions.places().map((place) => place.id)
    if (ids.length === 0) return
    for (const { runnerId, runId, step } of await means.runs.progress.takeLeftWorkspaces(means.database.kysely, ids)) {
      sessions.find(runnerId)?.send({ case: 'workspaceOver', value: { runId, step } })
    }
  }

  async function refresh(): Promise<void> {
    if (sessions.places().length === 0) return
    const askedFor = new Set(sessions.all)
    asked += 1
    const turn = asked
    const startedAt = means.clock.monotonic()
    const runners = await means.runners.list(means.database.kysely)
    // Answers may overtake each other: an older one would undo what a newer one said.
    if (turn < heard) return
    heard = turn
    listedAt = startedAt
    const known = sessions.refresh(runners, askedFor)
    dispatcher.wake()
    if (!known) await refresh()
  }

  const tell = (what: string) => (error: unknown) => {
    if (isUnavailable(error)) means.log.debug({ err: error }, what)
    else means.log.error({ err: error }, what)
  }

  return {
    name: 'dispatch.gateway',
    role: 'gateway',
    async run(signal) {
      const { notifications } = means.database
      const stops = [
        notifications.listen('runs_queued', (lane) => {
          if (lane === undefined) look().catch(tell('the queue could not be read'))
          else dispatcher.hint([lane], [])
        }),
        notifications.listen('emergencies_changed', () => void look().catch(tell('the queue could not be read'))),
        notifications.listen('runners_changed', () => void refresh().catch(tell('runners could not be read'))),
      ]
      while (!signal.aborted) {
        await look().catch(tell('the queue could not be read'))
        await tellOver().catch(tell('that steps are over could not be told'))
        if (means.clock.monotonic() - listedAt >= RUNNERS_MS) {
          await refresh().catch(tell('runners could not be read'))
        }
        await means.clock.sleep(POLL_MS, signal)
      }
      for (const stop of stops) stop()
      sessions.endAll()
    },
  }
}
