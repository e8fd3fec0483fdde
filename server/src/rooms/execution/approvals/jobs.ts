import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import { EXPIRE_JOB, REMIND_JOB } from './actions/request-approvals.ts'
import { APPROVAL_DECIDED, APPROVAL_REMINDER, approvalTold } from './facts.ts'
import * as store from './store/index.ts'

/** Each does nothing where the request is decided by then, so that doing it twice does no harm. */
export function approvalJobs(kit: Kit): JobDefinition[] {
  return [
    {
      name: EXPIRE_JOB,
      async run(payload) {
        const id = readId(payload)
        if (id === undefined) return
        await kit.database.transaction(async (tx) => {
          const request = await store.lockRequest(tx, id)
          if (request?.status !== 'waiting') return
          await store.endRequest(tx, id, 'timed_out', kit.clock.now())
          const { kind, version } = APPROVAL_DECIDED
          await kit.facts.tell(tx, kind, version, approvalTold({ ...request, status: 'timed_out' }))
        })
      },
    },
    {
      name: REMIND_JOB,
      async run(payload) {
        const id = readId(payload)
        if (id === undefined) return
        await kit.database.transaction(async (tx) => {
          const request = await store.lockRequest(tx, id)
          if (!request || !(await store.markReminded(tx, id, kit.clock.now()))) return
          await kit.facts.tell(tx, APPROVAL_REMINDER.kind, APPROVAL_REMINDER.version, approvalTold(request))
        })
      },
    },
  ]
}

function readId(payload: unknown): string | undefined {
  const id = typeof payload === 'object' && payload !== null && 'id' in payload ? payload.id : undefined
  return typeof id === 'string' ? id : undefined
}
