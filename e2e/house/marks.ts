import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataDir } from './house.ts'

/** The mark that a task itself left of its work; the product may believe something else. */
export interface Mark {
  readonly mark: string
  readonly runId: string
  readonly step: string
  readonly task: string
  readonly attempt: number
  readonly fence: number
  /** Unix time in ms, of the machine. */
  readonly at: number
}

/** A file that tasks append to. */
export interface Marks extends Disposable {
  /** Defines the command `mark <word>` in a script. */
  readonly shell: string
  read(): readonly Mark[]
}

const PLACE = '$SIGNALBOX_RUN_ID $SIGNALBOX_STEP $SIGNALBOX_TASK $SIGNALBOX_ATTEMPT $SIGNALBOX_FENCE'

export function openMarks(): Marks {
  const folder = makeDataDir()
  const path = join(folder, 'marks')
  writeFileSync(path, '')
  // The account of tasks writes there.
  chmodSync(path, 0o666)
  return {
    shell: `mark() { echo "$1 ${PLACE} $(date +%s%3N)" >> ${path}; }`,
    read: () => readFileSync(path, 'utf8').split('\n').flatMap(readMark),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A last line that a kill cut off does not count. */
function readMark(line: string): readonly Mark[] {
  const [mark, runId, step, task, attempt, fence, at, ...more] = line.split(' ')
  if (!mark || !runId || !step || !task || at === undefined || more.length > 0) return []
  return [{ mark, runId, step, task, attempt: Number(attempt), fence: Number(fence), at: Number(at) }]
}
