import { setTimeout as pause } from 'node:timers/promises'
import { isStopped } from '../house/processes.ts'
import type { ControlPlane, SharedHouse } from '../house/shared-house.ts'
import type { Recorder } from './history.ts'
import { keepWhatItDoes } from './silence.ts'

const LOOK_MS = 1000
const ANSWER_MS = 3000
/** Longer than anything that is done to a process or the database, on a machine that has other work too. */
const SILENT_MS = 30_000
/** The exits of a control plane that the nemesis killed or told to stop. */
const EXPECTED_ENDS = new Set(['SIGKILL', '0'])
const SAID_CHARACTERS = 2000

interface Guarded {
  readonly shared: SharedHouse
  /** The folder for files about silent control planes. */
  readonly folder: string
  readonly recorder: Recorder
  readonly signal: AbortSignal
}

/**
 * Starts a control plane again that ended by itself, as an operator would. Keeps what a control plane does that does not
 * answer, or is not ready although the database is. Each of the three is a fault of the product.
 */
export async function guard(guarded: Guarded): Promise<void> {
  await Promise.all(guarded.shared.planes.map((plane) => guardOne(guarded, plane)))
}

async function guardOne({ shared, folder, recorder, signal }: Guarded, plane: ControlPlane): Promise<void> {
  const last = { answer: performance.now(), ready: performance.now() }
  let told = false
  for (let ends = 0; !signal.aborted; await pause(LOOK_MS)) {
    for (const how of plane.ends.slice(ends)) {
      ends += 1
      if (EXPECTED_ENDS.has(how)) continue
      const said = (plane.outputs.at(-1)?.() ?? '').slice(-SAID_CHARACTERS)
      recorder.record({ kind: 'ended', process: plane.name, how, said })
      // The waiting fault sees a control plane that cannot start.
      await shared.startPlane(plane).catch(() => undefined)
    }
    const now = performance.now()
    const [answers, ready, given] = await Promise.all([
      isOk(`${plane.url}/livez`),
      isOk(`${plane.url}/healthz`),
      isGiven(shared),
    ])
    const pid = plane.house?.pid
    const excused = pid === undefined || isStopped(pid)
    if (answers || excused) last.answer = now
    if (ready || excused || !given) last.ready = now
    const what = findSilence(now - last.answer, now - last.ready)
    if (what !== undefined && pid !== undefined && !told) {
      const kept = await keepWhatItDoes(shared, plane.name, pid, folder)
      recorder.record({ kind: 'silent', process: plane.name, what, kept })
    }
    told = what !== undefined
  }
}

function findSilence(unansweredMs: number, unreadyMs: number): string | undefined {
  if (unansweredMs > SILENT_MS) return `no answer for ${Math.round(unansweredMs / 1000)} s`
  if (unreadyMs > SILENT_MS) return `not ready for ${Math.round(unreadyMs / 1000)} s, although the database is`
  return undefined
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** Whether the database answers. */
async function isGiven({ database }: SharedHouse): Promise<boolean> {
  const answered = database.query('select 1').then(
    () => true,
    () => false,
  )
  return await Promise.race([answered, pause(ANSWER_MS, false)])
}
