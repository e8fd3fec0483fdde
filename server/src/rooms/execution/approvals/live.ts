import type { Caller } from '#platform/http'
import { type LiveChange, type LiveTopic, readTold } from '#platform/live'
import type { AccessSnapshot } from '#rooms/foundation/access'
import { candidateOf } from './actions/judge-votes.ts'
import { withAskers } from './actions/with-askers.ts'
import type { Means } from './means.ts'
import { type Request, refusalOf } from './rules/index.ts'
import { listByIds } from './store/index.ts'

/**
 * `approvals` hears of what waits for the follower, of votes about it, and of its end. Everybody may follow it: a
 * change is told to those alone whom it asks. The id is that of the run. A payload without the id of a request is that
 * of a run of a pull request from a fork. Equal roles do not decide alike, so each account is judged by itself: a step may
 * name a person or a group, may leave out who started the run, and takes a role for a person alone.
 */
export function approvalTopics(means: Means): LiveTopic[] {
  const db = means.database.kysely
  return [
    {
      kind: 'approvals',
      of: 'nothing',
      channels: ['approval_changed'],
      mayFollow: async () => true,
      async read(payloads) {
        const told = payloads.map(readApproval)
        const ids = [...new Set(told.flatMap(({ requestId }) => requestId ?? []))]
        const asked = await withAskers(means, db, await listByIds(db, ids))
        const requests = new Map(asked.map((request) => [request.id, request]))
        const forks = told.flatMap(({ requestId, runId }) => (requestId === null ? [runId] : []))
        const teams = await means.runs.listTeams(db, forks)
        const snapshot = await means.access.snapshot()
        return told.map(({ change, runId, requestId }): LiveChange => {
          const request = requestId === null ? undefined : requests.get(requestId)
          const teamPath = teams.get(runId)
          const isFor = (viewer: Caller): boolean =>
            request ? asks(snapshot, viewer, request) : teamPath !== undefined && viewer.can('run.approve', teamPath)
          return { id: runId, change, names: [''], isFor }
        })
      },
    },
  ]
}

function readApproval(payload: string) {
  const { change, place: runId, id } = readTold(payload)
  return { runId, requestId: id === FORK ? null : id, change }
}

/** In the place of a request's id. */
const FORK = 'fork'

function asks(snapshot: AccessSnapshot, viewer: Caller, request: Request): boolean {
  return viewer.can('run.read', request.teamPath) && refusalOf(candidateOf(snapshot, viewer), request) === null
}
