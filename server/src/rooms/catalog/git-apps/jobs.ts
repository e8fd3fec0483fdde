import { GIT_APP_PROVIDERS } from '@signalbox/contracts/git-apps'
import type { JobDefinition } from '#platform/jobs'
import { FINISH_JOB, finishLater } from './actions/finish-registration.ts'
import { askApp, NOTE_JOB } from './actions/note-app.ts'
import { queueAllRefreshes, REFRESH_JOB, runRefresh } from './actions/queue-refresh.ts'
import { resealAnswers } from './actions/reseal-answers.ts'
import { resealKeys } from './actions/reseal-keys.ts'
import type { Means } from './means.ts'
import { dropFlows } from './store/flows.ts'

const DAY_MS = 86_400_000

/** Installations that are read from providers at a time: each may be thousands of repositories. */
const REFRESHES_AT_A_TIME = 2

export function gitAppJobs(means: Means): JobDefinition[] {
  return [
    {
      name: REFRESH_JOB,
      apart: REFRESHES_AT_A_TIME,
      run: (payload, signal) => runRefresh(means, payload, signal),
    },
    {
      // Renamed repositories, and what no delivery told. A page that did not change costs no rate.
      name: 'git_apps.refresh-all',
      cron: '23 */6 * * *',
      run: () => queueAllRefreshes(means),
    },
    {
      name: NOTE_JOB,
      apart: 1,
      async run(payload, signal) {
        const provider = readProvider(payload)
        if (!provider) return
        const answer = await askApp(means, provider, signal)
        if (answer.outcome === 'failed' && answer.retry) throw new Error(answer.reason)
      },
    },
    {
      name: FINISH_JOB,
      run: (payload) => finishLater(means, payload),
    },
    {
      name: 'git_apps.reseal-keys',
      // Nothing to do but two indexed looks, unless a new key version was configured since.
      cron: '*/5 * * * *',
      async run() {
        await resealKeys(means)
        await resealAnswers(means)
      },
    },
    {
      name: 'git_apps.drop-old-flows',
      cron: '41 * * * *',
      // For a day the record says whether a state was used.
      run: async () => void (await dropFlows(means.database.kysely, new Date(means.clock.now().getTime() - DAY_MS))),
    },
  ]
}

function readProvider(payload: unknown) {
  const known = typeof payload === 'object' && payload !== null && 'provider' in payload ? payload.provider : undefined
  return GIT_APP_PROVIDERS.find((provider) => provider === known)
}
