import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRunner } from '../e2e/house/runner.ts'
import { makePipeline } from '../e2e/house/team.ts'
import { waitFor } from '../e2e/house/wait.ts'
import { aPullRequestPayload, signDelivery } from '../server/src/adapters/forges/github/testing.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import type { Report } from './report.ts'

/** A run without an approval is queued, begins and ends. */
const CHANGES = 3
const RUNS = 334
const PULL_REQUESTS = 10
const MINUTE_MS = 60_000
/** A comment is written at most once a minute: the last change of each waits for so long. */
const LAST_COMMENTS_MS = 3 * MINUTE_MS
const REPOSITORY = 'acme/shop'
const TOKEN = 'a-token'
const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'

/** Takes statuses and comments, and counts the calls. */
async function startProvider() {
  const counts = { statuses: 0, comments: 0, pending: 0 }
  /** What each commit shows. */
  const shown = new Map<string, unknown>()
  let made = 0
  const server = createServer(async (request, response) => {
    const { url = '' } = request
    const body: unknown = await json(request).catch(() => undefined)
    if (url.includes('/comments')) counts.comments += 1
    else {
      const state = typeof body === 'object' && body !== null && 'state' in body ? body.state : undefined
      counts.statuses += 1
      if (state === 'pending') counts.pending += 1
      shown.set(url, state)
    }
    made += 1
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: made }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The provider has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    shown,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Ten pull requests hear of a thousand changes of runs within a minute: how many calls their provider gets. */
export async function benchReports(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const provider = await startProvider()
  const runner = await startRunner(subject.house, { capacity: 4 })
  try {
    const { api } = subject.house
    const team = await makeUnlimitedTeam(subject, 'reports')
    await api.send('POST', '/v1/secrets', { team_path: team.path, name: 'writer', value: TOKEN })
    await api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, {
      base_url: provider.url,
      checkout_credential_ref: `secret:${team.path}/writer`,
      report_status: true,
    })
    await api.send('POST', '/v1/triggers', {
      name: 'pulls',
      team_path: team.path,
      source_id: team.sourceId,
      repositories: [REPOSITORY],
      events: ['pull_request'],
      actions: ['labeled'],
      pipeline: await makePipeline(api, team, PIPELINE),
      scope: team.scope,
      report_comment: true,
    })
    const before = subject.cpu()
    const started = performance.now()
    for (let at = 0; at < RUNS; at++) {
      await deliver(subject.port, team, provider.url, at)
      const due = started + ((at + 1) * MINUTE_MS) / RUNS
      if (due > performance.now()) await sleep(due - performance.now())
    }
    const seconds = (performance.now() - started) / 1000
    const cpu = subject.cpu().server - before.server
    await waitFor(
      'runs and jobs to be done',
      () => countWaiting(subject),
      (waiting) => waiting === 0,
      LAST_COMMENTS_MS,
    )
    // At once, then once in each minute, and for what came last.
    const minutes = Math.ceil(seconds / 60) + 2
    const ends = [...provider.shown.values()].filter((state) => state === 'success').length
    return {
      name: 'reports',
      says: `${RUNS} runs of ${PULL_REQUESTS} pull requests within a minute, each queued, begun and ended: ${RUNS * CHANGES} changes`,
      figures: [
        { what: 'time in which they were delivered', value: seconds, unit: 's' },
        { what: 'calls for statuses', value: provider.counts.statuses, unit: '', atMost: RUNS * CHANGES },
        { what: 'of them before the end of a run', value: provider.counts.pending, unit: '' },
        { what: 'commits that show the end in the end', value: ends, unit: '', exactly: PULL_REQUESTS },
        { what: 'calls for comments', value: provider.counts.comments, unit: '', atMost: PULL_REQUESTS * minutes },
        { what: 'CPU of the control plane', value: cpu, unit: 's' },
      ],
    }
  } finally {
    await runner.stop()
    provider.close()
  }
}

/** Runs that have not ended, and jobs that tell of runs. */
async function countWaiting({ query }: HouseUnderTest): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    `select (select count(*) from runs where finished_at is null)::int + count(*)::int as waiting
     from graphile_worker._private_jobs as job
     join graphile_worker._private_tasks as task on task.id = job.task_id
     where task.identifier in ('sources.report-status', 'reports.comment') and job.key not like '%:look'`,
  )
  return row?.waiting ?? 0
}

interface Receiver {
  readonly sourceId: string
  readonly webhookSecret: string
}

async function deliver(port: number, { sourceId, webhookSecret }: Receiver, url: string, at: number): Promise<void> {
  const number = (at % PULL_REQUESTS) + 1
  const payload = aPullRequestPayload({
    repository: { full_name: REPOSITORY, clone_url: `${url}/${REPOSITORY}.git` },
    number,
    action: 'labeled',
    labels: [`label-${at}`],
    head: number.toString(16).padStart(40, 'c'),
    updatedAt: new Date(Date.UTC(2026, 10, 21, 10, 0, at)).toISOString(),
  })
  const { headers, body } = signDelivery(payload, {
    secret: webhookSecret,
    event: 'pull_request',
    deliveryId: crypto.randomUUID(),
  })
  const address = `http://127.0.0.1:${port}/v1/git/webhooks/${sourceId}`
  const answer = await fetch(address, { method: 'POST', headers, body })
  await answer.body?.cancel()
  if (answer.status !== 202) throw new Error(`The delivery was answered with ${answer.status}`)
}
