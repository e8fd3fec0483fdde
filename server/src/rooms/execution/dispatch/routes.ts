import { type DispatcherRunner, DispatcherStatus } from '@signalbox/contracts/dispatch'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTimeOrNull } from '#platform/time'
import { type DispatcherView, readStatus, type StatusNeeds } from './actions/read-status.ts'

export function dispatchRoutes(kit: Kit, needs: StatusNeeds): Route[] {
  return [
    defineRoute({
      tag: 'dispatch',
      class: 'authorized',
      method: 'GET',
      path: '/v1/system/dispatcher',
      summary: 'Runners and what waits for them',
      permission: 'runner.read',
      responses: { 200: DispatcherStatus },
      handle: async (request) => {
        const view = await readStatus(kit, needs, request.caller)
        const { queued, running, waiting } = view
        return answer(200, { runners: view.runners.map(present), queued, running, waiting })
      },
    }),
  ]
}

function present({ runner, state, inUse }: DispatcherView['runners'][number]): DispatcherRunner {
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
