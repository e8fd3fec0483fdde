import * as shapes from '@signalbox/contracts/dispatch'
import { dispatchRoutes as stated } from '@signalbox/contracts/dispatch/routes'
import * as trialShapes from '@signalbox/contracts/trials'
import { trialRoutes } from '@signalbox/contracts/trials/routes'
import { answer, type Route, serve } from '#platform/http'
import { toWireTimeOrNull } from '#platform/time'
import { explainRun } from './actions/explain-run.ts'
import { judgeRunners } from './actions/judge-runners.ts'
import { listLeases } from './actions/list-leases.ts'
import { type DispatcherView, readStatus } from './actions/read-status.ts'
import { createTrials } from './actions/try-item.ts'
import type { Means } from './means.ts'

export function dispatchRoutes(means: Means): Route[] {
  const tryItem = createTrials(means)
  const trials = serve(trialRoutes, trialShapes, {
    tryKnowledgeItem: async (request) => answer(200, await tryItem(request.caller, request.body, request.signal)),
  })
  const own = serve(stated, shapes, {
    getDispatcher: async (request) => {
      const view = await readStatus(means, request.caller)
      const { queued, running, waiting } = view
      return answer(200, { runners: view.runners.map(present), queued, running, waiting })
    },
    listLeases: async (request) => answer(200, await listLeases(means, request.caller, request.params.id)),
    explainRun: async (request) => answer(200, await explainRun(means, request.caller, request.query.run_id)),
    judgeRunners: async (request) => answer(200, await judgeRunners(means, request.caller, request.body)),
  })
  return [...own, ...trials]
}

function present({ runner, state, inUse }: DispatcherView['runners'][number]): shapes.DispatcherRunner {
  return {
    id: runner.id,
    name: runner.name,
    team_path: runner.teamPath,
    state,
    enabled: runner.enabled,
    draining: runner.draining || runner.leaving,
    scopes: [...runner.scopes],
    labels: [...new Set([...runner.labels, ...runner.offeredLabels])],
    executors: [...runner.executors],
    capacity: runner.capacity,
    in_use: inUse,
    version: runner.version,
    connected_at: toWireTimeOrNull(runner.connectedAt),
    last_seen_at: toWireTimeOrNull(runner.lastSeenAt),
  }
}
