import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../house/api.ts'
import { createDeliverer, type PreparedDelivery, preparePushes } from '../house/deliverer.ts'
import { isFinal } from '../house/runs.ts'
import { type Chance, createChance } from './chance.ts'
import type { Ground } from './ground.ts'
import type { Recorder } from './history.ts'

/** No more than these run at a time: the test shows faults, not a long queue. */
const MOST_OPEN = 14
const PAUSE_MS = 150

/** Everything that users and providers do, until `signal`; deliveries are sent until each was answered below 500. */
export async function load(ground: Ground, seed: number, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const callers = [deliver, askForRuns, decide, intrude]
  await Promise.all(
    callers.map(async (act, at) => {
      const chance = createChance(seed + at + 1)
      for (let turn = 0; !signal.aborted; turn += 1) {
        // A control plane that is away, or answers 503, is what this is about.
        await act(ground, chance, recorder, turn).catch(() => undefined)
        await pause(PAUSE_MS + chance.below(PAUSE_MS))
      }
    }),
  )
}

type Act = (ground: Ground, chance: Chance, recorder: Recorder, turn: number) => Promise<void>

function planeOf({ shared }: Ground, chance: Chance): Api {
  const [first, ...others] = shared.planes.map(({ api }) => api)
  if (!first) throw new Error('There is no control plane.')
  return chance.pick([first, ...others])
}

const deliver: Act = async (ground, chance, recorder, turn) => {
  if ((await countOpen(planeOf(ground, chance))) >= MOST_OPEN) return
  const [delivery] = preparePushes(ground.team, 1, `chaos ${turn} ${crypto.randomUUID()}`)
  if (delivery) await sendUntilTaken(ground, chance, recorder, delivery)
}

/**
 * Delivers as a provider that redelivers, to one control plane or the other; sometimes once more although it was taken.
 */
async function sendUntilTaken(
  ground: Ground,
  chance: Chance,
  recorder: Recorder,
  delivery: PreparedDelivery,
): Promise<void> {
  for (let taken = 0; taken < 1 + chance.below(2); ) {
    const client = createDeliverer(planeOf(ground, chance).url, ground.team, 1)
    const { status } = await client.send(delivery)
    client.close()
    const { deliveryId, commitSha: commit } = delivery
    recorder.record({ kind: 'delivered', deliveryId, commit, status })
    if (status !== undefined && status < 500) taken += 1
    else await pause(PAUSE_MS)
  }
}

const askForRuns: Act = async (ground, chance, recorder, turn) => {
  const api = planeOf(ground, chance)
  const { quick, mixed, failing, gated } = ground.pipelines
  // A run that waits for people exists however short the time is.
  if (turn === 0) return await askForRun(api, ground, gated, recorder)
  const runs = await listRuns(api)
  const open = runs.filter((run) => !isFinal(run))
  const over = runs.filter(isFinal)
  const what = chance.below(10)
  if (what < 2) {
    const run = open[chance.below(open.length)]
    if (run) await ask(api, recorder, { what: 'cancel', runId: run.run_id, path: 'cancel' })
    return
  }
  if (open.length >= MOST_OPEN) return
  const run = over[chance.below(over.length)]
  if (what < 4 && run) {
    const mode = chance.pick(['whole', 'failed'])
    const answer = await api.ask('POST', `/v1/runs/${run.run_id}/rerun`, { mode })
    recorder.record({ kind: 'started', how: 'rerun', status: answer.status, runId: readRunId(answer.body) })
    return
  }
  await askForRun(api, ground, chance.pick([mixed, gated, failing, quick]), recorder)
}

async function askForRun(api: Api, { team }: Ground, pipeline: string, recorder: Recorder): Promise<void> {
  const answer = await api.ask('POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, { scope: team.scope })
  recorder.record({ kind: 'started', how: 'by_hand', status: answer.status, runId: readRunId(answer.body) })
}

const decide: Act = async (ground, chance, recorder) => {
  const waiting = await planeOf(ground, chance).get<{ run_id: string; step: string }[]>('/v1/approvals')
  const one = waiting[chance.below(waiting.length)]
  if (!one) return
  const decision = chance.pick(['approve', 'approve', 'approve', 'reject'])
  const path = `approvals/${one.step}`
  await ask(planeOf(ground, chance), recorder, { what: decision, runId: one.run_id, path, body: { decision } })
}

/** Callers without the right: they never get through, whatever is broken just then. */
const intrude: Act = async (ground, chance, recorder, turn) => {
  const api = planeOf(ground, chance)
  const start = `/v1/pipelines/${encodeURIComponent(ground.pipelines.quick)}/runs`
  const tried = async (what: string, status: Promise<number | undefined>): Promise<void> =>
    recorder.record({ kind: 'intruded', what, status: await status })
  const statusOf = (who: Api, method: string, path: string, body?: unknown): Promise<number | undefined> =>
    who.ask(method, path, body).then(
      (answer) => answer.status,
      () => undefined,
    )
  switch (turn % 4) {
    case 0:
      return tried('a token that nobody has, GET /v1/runs', statusOf(api.as('sbxu_nobody'), 'GET', '/v1/runs'))
    case 1:
      return tried('a token that nobody has, POST', statusOf(api.as('sbxu_nobody'), 'POST', start, {}))
    case 2:
      return tried(
        'a viewer starts a run',
        statusOf(api.as(ground.viewer), 'POST', start, { scope: ground.team.scope }),
      )
    default: {
      const wrong = { ...ground.team, webhookSecret: 'not the secret of this source' }
      const [delivery] = preparePushes(wrong, 1, `forged ${turn}`)
      const client = createDeliverer(api.url, ground.team, 1)
      const sent = delivery ? client.send(delivery).then(({ status }) => status) : Promise.resolve(undefined)
      await tried('a delivery with a wrong signature', sent)
      client.close()
    }
  }
}

interface Question {
  readonly what: string
  readonly runId: string
  /** Below the run. */
  readonly path: string
  readonly body?: unknown
}

async function ask(api: Api, recorder: Recorder, { what, runId, path, body }: Question): Promise<void> {
  const status = await api.ask('POST', `/v1/runs/${runId}/${path}`, body).then(
    (answer) => answer.status,
    () => undefined,
  )
  recorder.record({ kind: 'asked', what, runId, status })
}

interface Listed {
  readonly run_id: string
  readonly status: string
}

function listRuns(api: Api): Promise<Listed[]> {
  return api.get<Listed[]>('/v1/runs?limit=60')
}

async function countOpen(api: Api): Promise<number> {
  return (await listRuns(api)).filter((run) => !isFinal(run) && run.status !== 'paused').length
}

function readRunId(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('run_id' in body)) return ''
  return typeof body.run_id === 'string' ? body.run_id : ''
}
