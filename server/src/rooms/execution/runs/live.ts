import { LRUCache } from 'lru-cache'
import { hearsTeam, type LiveChange, type LiveChangeKind, type LiveTopic, readTold, teamNames } from '#platform/live'
import type { Means } from './means.ts'
import { findRunStatus } from './store/list-runs.ts'
import { listTeams } from './store/started-runs.ts'

/** The team of a run never changes. */
const KNOWN_TEAMS = 10_000

/** `runs:<team path>` hears of runs of a team and of the teams below it, `run:<id>` of one run. */
export function runTopics(means: Means): LiveTopic[] {
  const db = means.database.kysely
  const known = new LRUCache<string, string>({ max: KNOWN_TEAMS })

  async function teamsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const missing = ids.filter((id) => !known.has(id))
    for (const [id, teamPath] of await listTeams(db, missing)) known.set(id, teamPath)
    return new Map(ids.map((id) => [id, known.get(id) ?? '']))
  }

  return [
    {
      kind: 'runs',
      of: 'team',
      channels: ['run_changed', 'runs_created'],
      isByPermissions: true,
      async mayFollow(caller, name) {
        const team = name === '/' ? { path: '/' } : await means.teams.findTeam(db, name)
        return hearsTeam(caller.prefixes('run.read'), name) && team?.path === name
      },
      async read(payloads) {
        const teams = await teamsOf(payloads.filter(isId))
        return payloads.map((payload) => {
          if (isId(payload)) return ofTeam(teams.get(payload) ?? '', payload, 'changed')
          const { change, place, id } = readTold(payload)
          return ofTeam(place, id, change)
        })
      },
    },
    {
      kind: 'run',
      of: 'id',
      channels: ['run_changed'],
      isByPermissions: true,
      async mayFollow(caller, name) {
        const run = await findRunStatus(db, name)
        return caller.can('run.read', run?.team_path ?? '/') && run !== undefined
      },
      async read(payloads) {
        const teams = await teamsOf(payloads)
        return payloads.map((id) => ({ ...ofTeam(teams.get(id) ?? '', id, 'changed'), names: [id] }))
      },
    },
  ]
}

/** `run_changed` names the run alone, `runs_created` its team, too. */
function isId(payload: string): boolean {
  return !payload.includes(' ')
}

function ofTeam(teamPath: string, id: string | null, change: LiveChangeKind): LiveChange {
  return { id, change, names: teamNames(teamPath), isFor: (viewer) => viewer.can('run.read', teamPath) }
}
