import { LRUCache } from 'lru-cache'
import { type LiveChange, type LiveChangeKind, type LiveTopic, readTold } from '#platform/live'
import type { Means } from './means.ts'
import { listAllRunners } from './store/index.ts'

/** The team of a runner never changes. */
const KNOWN_TEAMS = 10_000

/**
 * `runners` hears of runners that come, go, connect or are changed, and of tasks that one takes or ends; heartbeats are not
 * told.
 */
export function runnerTopics({ database }: Means): LiveTopic[] {
  const known = new LRUCache<string, string>({ max: KNOWN_TEAMS })

  /** `runner_leases` names the runner alone. */
  async function learnTeams(ids: readonly string[]): Promise<void> {
    if (ids.every((id) => known.has(id))) return
    for (const { id, teamPath } of await listAllRunners(database.kysely)) known.set(id, teamPath)
  }

  return [
    {
      kind: 'runners',
      of: 'nothing',
      channels: ['runner_changed', 'runner_leases'],
      isByPermissions: true,
      mayFollow: async (caller) => caller.prefixes('runner.read').length > 0,
      async read(payloads) {
        await learnTeams(payloads.filter(isId))
        return payloads.map((payload) => {
          if (isId(payload)) return ofTeam(known.get(payload) ?? '/', payload, 'changed')
          const { change, place, id } = readTold(payload)
          return ofTeam(place, id, change)
        })
      },
    },
  ]
}

function isId(payload: string): boolean {
  return !payload.includes(' ')
}

function ofTeam(teamPath: string, id: string | null, change: LiveChangeKind): LiveChange {
  return { id, change, names: [''], isFor: (viewer) => viewer.can('runner.read', teamPath) }
}
