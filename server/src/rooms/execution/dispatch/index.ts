import type { Kit } from '#platform/room'
import { defineRoom } from '#platform/room'
import type { Knowledge } from '#rooms/catalog/knowledge'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runners } from '#rooms/catalog/runners'
import type { Approvals } from '#rooms/execution/approvals'
import type { Artifacts } from '#rooms/execution/artifacts'
import type { Logs } from '#rooms/execution/logs'
import type { RunInFlight, Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'
import { findChildRefusal, findRefusal } from './actions/find-refusal.ts'
import { sendAssign } from './actions/send-assign.ts'
import { Dispatcher } from './dispatcher/dispatcher.ts'
import { createGatewayLoop } from './jobs/gateway-loop.ts'
import { createSweep } from './jobs/sweep.ts'
import { createDispatchMetrics } from './metrics.ts'
import { dispatchRoutes } from './routes.ts'
import { createGateway } from './rpc/gateway.ts'
import { settle } from './rpc/receive.ts'
import type { NewAssignment } from './rules/assignment.ts'
import { LogPump } from './sessions/log-pump.ts'
import type { RunnerSession } from './sessions/runner-session.ts'
import { RunnerSessions } from './sessions/runner-sessions.ts'

export interface Dispatch {
  /** Call it after the commit that queued runs: this process looks at their lanes at once; others hear by NOTIFY. */
  poke(): void
}

export interface DispatchNeeds {
  readonly access: Pick<Access, 'subject' | 'canUseScope'>
  readonly teams: Pick<Teams, 'resolveScope'>
  readonly secrets: Pick<Secrets, 'read' | 'readForRun' | 'markUsed'>
  readonly runners: Runners
  readonly knowledge: Pick<Knowledge, 'snapshot' | 'isCurrent' | 'refresh'>
  readonly pipelines: Pick<Pipelines, 'resolveForRun' | 'referencesOf'>
  readonly runs: Runs
  readonly approvals: Approvals
  readonly artifacts: Artifacts
  readonly logs: Pick<Logs, 'append' | 'giveUp' | 'nextLines'>
}

export const dispatch = defineRoom<Dispatch, DispatchNeeds>({
  name: 'execution/dispatch',
  open(kit, needs) {
    const processId = kit.ids.next()
    const metrics = createDispatchMetrics(kit, needs)
    const sessions = new RunnerSessions(needs.runners)
    const assign = (run: RunInFlight | undefined, assignment: NewAssignment): void => {
      const sending = sendAssign(kit, { ...needs, sessions, push: (item) => dispatcher.push(item) }, run, assignment)
      sessions.find(assignment.runnerId)?.expect(sending)
    }
    const dispatcher: Dispatcher = new Dispatcher(kit, {
      progress: needs.runs.progress,
      knowledge: needs.knowledge,
      approvals: needs.approvals,
      pipelines: needs.pipelines,
      sessions,
      queue: needs.runs.queue,
      findRefusal: (tx, run) => findRefusal(needs, tx, run),
      findChildRefusal: (tx, run, child) => findChildRefusal(needs, tx, run, child),
      assign,
      observe: (items, outcome) => {
        metrics.round(items, outcome, kit.clock.now())
        for (const at of outcome.wakeAt) sweep.wakeAt(at)
      },
    })
    const sweep = createSweep(kit, { ...needs, push: (...items) => dispatcher.push(...items) })
    const logPump = new LogPump(kit, {
      logs: needs.logs,
      stored: (session, assignment) => settle({ dispatcher, sessions }, session, assignment),
      counted: metrics.lines,
    })
    const gateway = createGateway(kit, {
      ...needs,
      processId,
      sessions,
      dispatcher,
      logPump,
      assign,
      stale: metrics.stale,
      unrenewed: sweep.unrenewed,
      gone: (session) => void leave(kit, needs, sessions, processId, session),
    })
    return {
      door: { poke: () => dispatcher.poke() },
      routes: dispatchRoutes(kit, needs),
      services: [gateway],
      loops: [createGatewayLoop(kit, { ...needs, sessions, dispatcher }), sweep],
      async close() {
        sessions.endAll()
        await logPump.close()
        await dispatcher.close()
      },
    }
  },
})

async function leave(
  kit: Kit,
  needs: DispatchNeeds,
  sessions: RunnerSessions,
  processId: string,
  session: RunnerSession,
): Promise<void> {
  if (!sessions.disconnect(session)) return
  const { id: runnerId, name } = session.runner
  kit.log.info({ runnerId, runner: name, attempts: session.assignments.size }, 'runner disconnected')
  await needs.runners
    .setDisconnected(kit.database.kysely, { runnerId, processId })
    // Its last word grows old by itself: a runner that is not heard of is not reachable.
    .catch((error: unknown) => kit.log.debug({ err: error }, 'that a runner left could not be noted'))
}
