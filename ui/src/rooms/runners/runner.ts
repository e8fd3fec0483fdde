import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { runnerRoutes } from '@signalbox/contracts/runners/routes'

export type Runner = ItemOf<typeof runnerRoutes.listRunners>

/** The word of the state of a runner, for a badge. */
export function stateOf({ connected, enabled, draining, leaving }: Runner): string {
  if (!enabled) return 'disabled'
  if (!connected) return 'runner_away'
  return draining || leaving ? 'runner_draining' : 'runner_online'
}

/** Why a runner is as it is, in a sentence; undefined where there is nothing to say. */
export function reasonOf({ connected, enabled, draining, leaving, last_seen_at }: Runner): string | undefined {
  if (!enabled) return 'Somebody disabled it: it gets no new tasks. Tasks in hand go on.'
  if (!connected && last_seen_at === null) return 'It has never connected.'
  if (!connected) return 'It holds no connection. Look at its machine, its log and the network between.'
  if (leaving) return 'The runner itself is stopping: it finishes its tasks first.'
  return draining ? 'Somebody drains it: it finishes its tasks and takes no new ones.' : undefined
}
