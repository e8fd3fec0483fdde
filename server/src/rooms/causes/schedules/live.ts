import { hearsTeam, type LiveTopic, readTold, teamNames } from '#platform/live'
import type { Means } from './means.ts'

/** `schedules:<team path>` hears of schedules of a team and of the teams below it: changes, fires, backfills. */
export function scheduleTopics({ database, teams }: Means): LiveTopic[] {
  return [
    {
      kind: 'schedules',
      of: 'team',
      channels: ['schedule_changed'],
      isByPermissions: true,
      async mayFollow(caller, name) {
        const team = name === '/' ? { path: '/' } : await teams.findTeam(database.kysely, name)
        return hearsTeam(caller.prefixes('schedule.read'), name) && team?.path === name
      },
      read: async (payloads) =>
        payloads.map((payload) => {
          const { change, place, id } = readTold(payload)
          return { id, change, names: teamNames(place), isFor: (viewer) => viewer.can('schedule.read', place) }
        }),
    },
  ]
}
