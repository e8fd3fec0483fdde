import { type Doors, defineRoom } from '#platform/room'
import type { RunInFlight } from '#rooms/execution/runs'
import { sendAssign } from './actions/send-assign.ts'
import { Dispatcher } from './dispatcher/dispatcher.ts'
import { createGatewayLoop } from './jobs/gateway-loop.ts'
import { createSweep } from './jobs/sweep.ts'
import type { Means, StreamMeans } from './means.ts'
import { createDispatchMetrics } from './metrics.ts'
import { dispatchRoutes } from './routes.ts'
import { createGateway } from './rpc/gateway.ts'
import { settle } from './rpc/receive.ts'
import type { NewAssignment } from './rules/assignment.ts'
import type { InboxItem } from './rules/inbox.ts'
import { LogPump } from './sessions/log-pump.ts'
import type { RunnerSession } from './sessions/runner-session.ts'
import { RunnerSessions } from './sessions/runner-sessions.ts'
import { dispatchTools } from './tools.ts'

export interface Dispatch {
  /** Call it after the commit that queued runs: this process looks at their lanes at once; others hear by NOTIFY. */
  poke(): void
}

export const dispatch = defineRoom<Dispatch, Omit<Doors<Means>, 'processId' | 'sessions'>>({
  name: 'execution/dispatch',
  open(kit, needs) {
    const sessions = new RunnerSessions(needs.runners)
    const means: Means = { ...kit, ...needs, processId: kit.ids.next(), sessions }
    const metrics = createDispatchMetrics(means)
    const push = (...items: readonly InboxItem[]): void => dispatcher.push(...items)
    const assign = (run: RunInFlight | undefined, assignment: NewAssignment): void => {
      sessions.find(assignment.runnerId)?.expect(sendAssign(means, push, run, assignment))
    }
    const dispatcher: Dispatcher = new Dispatcher(means, {
      assign,
      observe(items, outcome) {
        metrics.round(items, outcome, kit.clock.now())
        for (const at of outcome.wakeAt) sweep.wakeAt(at)
      },
    })
    const sweep = createSweep(means, push)
    const logPump = new LogPump(kit, {
      logs: needs.logs,
      stored: (session, assignment) => settle(streams, session, assignment),
      counted: metrics.lines,
    })
    const streams: StreamMeans = {
      ...means,
      dispatcher,
      logPump,
      assign,
      stale: metrics.stale,
      unrenewed: sweep.unrenewed,
      gone: (session) => void leave(means, session),
    }
    return {
      door: { poke: () => dispatcher.poke() },
      routes: dispatchRoutes(means),
      tools: dispatchTools,
      services: [createGateway(streams)],
      loops: [createGatewayLoop(means, dispatcher), sweep],
      async close() {
        sessions.endAll()
        await logPump.close()
        await dispatcher.close()
      },
    }
  },
})

async function leave(means: Means, session: RunnerSession): Promise<void> {
  const { sessions, runners, log, database, processId } = means
  if (!sessions.disconnect(session)) return
  const { runner, since } = session
  const { id: runnerId, name } = runner
  log.info({ runnerId, runner: name, attempts: session.assignments.size }, 'runner disconnected')
  await runners
    .setDisconnected(database.kysely, { runnerId, processId, since })
    // A runner that is not heard of is not reachable, even where this could not be noted.
    .catch((error: unknown) => log.debug({ err: error }, 'that a runner left could not be noted'))
}
