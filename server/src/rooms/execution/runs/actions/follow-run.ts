import type { ServerEvent } from '#platform/sse'
import { toWireTimeOrNull } from '#platform/time'
import type { Means } from '../means.ts'
import { findRunStatus } from '../store/list-runs.ts'
import { loadSteps, loadTasks } from '../store/load-runs.ts'

/** A notification may be lost; the tables are not. */
const LOOK_MS = 2000
const RUNNING = new Set(['queued', 'running', 'paused'])

/**
 * The states of a run, its steps and its tasks: first all of them, then each change, until the run has finished. The
 * last event is that of the run. States that came and went between two looks are left out.
 */
export async function* followRun(means: Means, runId: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  let waker = new AbortController()
  const stop = means.database.notifications.listen('run_changed', (payload) => {
    if (payload === undefined || payload === runId) waker.abort()
  })
  const told = new Map<string, string>()
  try {
    while (!signal.aborted) {
      // Before looking: a change while we look wakes us again.
      waker = new AbortController()
      const { events, finished } = await look(means, runId)
      for (const [key, event] of events) {
        const text = 'json' in event ? event.json : JSON.stringify(event.data)
        if (told.get(key) === text) continue
        told.set(key, text)
        yield event
      }
      if (finished) return
      await means.clock.sleep(LOOK_MS, AbortSignal.any([signal, waker.signal]))
    }
  } finally {
    stop()
  }
}

async function look(means: Means, runId: string): Promise<{ events: [string, ServerEvent][]; finished: boolean }> {
  const db = means.database.kysely
  // The run first: what its steps say is then at least as new, and a finished run is complete.
  const run = await findRunStatus(db, runId)
  if (!run) return { events: [], finished: true }
  const steps = await loadSteps(db, [runId])
  const tasks = await loadTasks(db, [runId])
  const events: [string, ServerEvent][] = []
  for (const row of tasks) {
    const { step, task, status, reason, attempt, exit_code } = row
    const times = { started_at: toWireTimeOrNull(row.started_at), finished_at: toWireTimeOrNull(row.finished_at) }
    events.push([
      `task ${step}/${task}`,
      { event: 'task', data: { step, task, status, reason, attempt, exit_code, ...times } },
    ])
  }
  for (const row of steps) {
    const { step, status, reason } = row
    const times = { started_at: toWireTimeOrNull(row.started_at), finished_at: toWireTimeOrNull(row.finished_at) }
    events.push([`step ${step}`, { event: 'step', data: { step, status, reason, ...times } }])
  }
  const times = { started_at: toWireTimeOrNull(run.started_at), finished_at: toWireTimeOrNull(run.finished_at) }
  events.push(['run', { event: 'run', data: { run_id: runId, status: run.status, reason: run.reason, ...times } }])
  return { events, finished: !RUNNING.has(run.status) }
}
