import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../house/api.ts'
import { isFinal } from '../house/runs.ts'
import { createChance } from './chance.ts'
import type { Ground } from './ground.ts'
import { nameOf, type Recorder } from './history.ts'
import { attemptsOf, type RunShown } from './stored-runs.ts'

const PAUSE_MS = 250
/** Streams of logs that are followed at the same time. */
const STREAMS = 2
/** One of these is followed by as many connections at most. */
const MOST_TURNS = 10

/** Looks at the runs the whole time, now by one control plane and now by the other, and follows some of the logs. */
export async function watch(ground: Ground, seed: number, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const followers = Array.from({ length: STREAMS }, (_, at) => followSome(ground, seed + at, recorder, signal))
  await Promise.all([watchStatuses(ground, recorder, signal), ...followers])
}

async function watchStatuses({ shared }: Ground, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const runs = new Map<string, string>()
  const attempts = new Map<string, string>()
  for (let turn = 0; !signal.aborted; turn += 1) {
    const api = shared.planes[turn % shared.planes.length]?.api
    await look(api, turn).catch(() => undefined)
    await pause(PAUSE_MS)
  }

  async function look(api: Api | undefined, turn: number): Promise<void> {
    const listed = (await api?.get<RunShown[]>('/v1/runs?limit=200')) ?? []
    for (const { run_id: runId, status } of listed) {
      if (runs.get(runId) === status) continue
      runs.set(runId, status)
      recorder.record({ kind: 'run', runId, status })
    }
    const open = listed.filter((run) => !isFinal(run))
    const one = turn % 2 === 0 ? open[turn % Math.max(1, open.length)] : listed[turn % Math.max(1, listed.length)]
    if (!one || !api) return
    for (const attempt of attemptsOf(await api.get<RunShown>(`/v1/runs/${one.run_id}`))) {
      const { runId, step, task, status } = attempt
      if (attempts.get(nameOf(attempt)) === status) continue
      attempts.set(nameOf(attempt), status)
      recorder.record({ kind: 'attempt', attempt: { runId, step, task, attempt: attempt.attempt, status } })
    }
  }
}

/** One run after the other, each to its end or until its stream breaks off; then on from there by another control plane. */
async function followSome(ground: Ground, seed: number, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const chance = createChance(seed)
  const planes = ground.shared.planes
  for (let stream = seed * 1000; !signal.aborted; stream += 1) {
    const first = planes[chance.below(planes.length)]
    const listed = (await first?.api.get<RunShown[]>('/v1/runs?limit=30&status=running').catch(() => [])) ?? []
    const run = listed[chance.below(listed.length)]
    if (run) await followOne(ground, { runId: run.run_id, stream, recorder, signal })
    await pause(PAUSE_MS)
  }
}

/** One run whose log is followed, and what each of its lines is recorded with. */
interface Following {
  readonly runId: string
  readonly stream: number
  readonly recorder: Recorder
  readonly signal: AbortSignal
}

async function followOne({ shared: { planes } }: Ground, following: Following): Promise<void> {
  const { stream, signal } = following
  let position: Position = { lastEventId: '', over: false }
  for (let turn = 0; !position.over && !signal.aborted && turn < MOST_TURNS; turn += 1) {
    const plane = planes[(stream + turn) % planes.length]
    if (plane) position = await follow(plane.api, following, position)
    await pause(PAUSE_MS)
  }
}

interface Position {
  readonly lastEventId: string
  readonly over: boolean
}

async function follow(api: Api, following: Following, { lastEventId }: Position): Promise<Position> {
  const { runId, signal } = following
  let position: Position = { lastEventId, over: false }
  try {
    const response = await fetch(`${api.url}/v1/runs/${runId}/logs/stream`, {
      headers: {
        authorization: `Bearer ${api.token}`,
        ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
    })
    if (!response.ok || !response.body) return position
    let rest = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const frames = `${rest}${piece}`.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) position = take(frame, following, position)
    }
  } catch {
    // The stream broke off, as it should.
  }
  return position
}

function take(frame: string, { runId, stream, recorder }: Following, before: Position): Position {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  if (fields.get('event') === 'eof') return { ...before, over: true }
  const data = fields.get('data')
  if (fields.get('event') === 'line' && data !== undefined) {
    const { line: text, number, step, task, attempt, stream: where } = JSON.parse(data)
    recorder.record({ kind: 'line', stream, line: { runId, step, task, attempt, number, text, stream: where } })
  }
  return { ...before, lastEventId: fields.get('id') ?? before.lastEventId }
}
