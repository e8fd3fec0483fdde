import type { JobDefinition } from '#platform/jobs'
import { resolveEvent } from './actions/resolve-event.ts'
import { RESOLVE_JOB, resolveQueue } from './actions/resolve-job.ts'
import type { Means } from './means.ts'
import { closeUnreadable, keptDays, listForgotten } from './store/events.ts'
import { dropHeads } from './store/heads.ts'
import { dropManifests } from './store/manifests.ts'
import { dropPosted } from './store/posted.ts'
import { dropStarts } from './store/starts.ts'
import { dropSuspectedBefore } from './store/suspected.ts'

const DAY_MS = 86_400_000
const BATCH = 1000
/** A pull request without changes for so long is read anew at the next comment. */
const HEAD_DAYS = 365
const MANIFEST_DAYS = 30
const POSTED_DAYS = 90
/** Longer than anything comes late. */
const SUSPECTED_DAYS = 10
/** Longer than a repository is asked for. */
const FORGOTTEN_MS = 30 * 60_000
/** Each job has a git process at a time, up to a minute; periodic jobs must not wait for ten thousand of them. */
const RESOLVED_AT_A_TIME = 6

export function eventJobs(means: Means): JobDefinition[] {
  const days = keptDays(means)
  return [
    {
      name: 'events.keep-days',
      cron: '9 * * * *',
      run: () => days.ensure(),
    },
    {
      name: RESOLVE_JOB,
      apart: RESOLVED_AT_A_TIME,
      async run(payload, signal) {
        const eventId = readEventId(payload)
        if (eventId !== undefined) await resolveEvent(means, eventId, signal)
      },
    },
    {
      name: 'events.resolve-forgotten',
      cron: '*/10 * * * *',
      async run() {
        const db = means.database.kysely
        const before = new Date(means.clock.now().getTime() - FORGOTTEN_MS)
        for (const { eventId, sourceId, repository } of await listForgotten(db, before, BATCH)) {
          if (await closeUnreadable(db, eventId)) means.log.error({ eventId }, 'a stored event can no longer be read')
          // The key stays the same: a job that still waits in the queue is not doubled.
          else {
            const queue = resolveQueue(sourceId, repository)
            await means.jobs.add(db, RESOLVE_JOB, { eventId }, { key: eventId, queue })
          }
        }
      },
    },
    {
      name: 'events.forget-old',
      cron: '41 * * * *',
      async run(_payload, signal) {
        const db = means.database.kysely
        const now = means.clock.now().getTime()
        const before = (age: number) => new Date(now - age * DAY_MS)
        const sweeps = [
          () => dropStarts(db, new Date(now), BATCH),
          () => dropHeads(db, before(HEAD_DAYS), BATCH),
          () => dropManifests(db, before(MANIFEST_DAYS), BATCH),
          () => dropPosted(db, before(POSTED_DAYS), BATCH),
          () => dropSuspectedBefore(db, before(SUSPECTED_DAYS), BATCH),
        ]
        for (const sweep of sweeps) while (!signal.aborted && (await sweep()) === BATCH);
        if (!signal.aborted) await days.dropBefore(before(means.config.deliveryRecordRetentionDays), signal)
      },
    },
  ]
}

function readEventId(payload: unknown): string | undefined {
  const known = typeof payload === 'object' && payload !== null && 'eventId' in payload ? payload.eventId : undefined
  return typeof known === 'string' ? known : undefined
}
