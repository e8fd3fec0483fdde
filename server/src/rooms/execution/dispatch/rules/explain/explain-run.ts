import type { RunOutlook, Telling } from './outlook.ts'
import { tellEnd } from './tell-end.ts'
import { tellProgress } from './tell-progress.ts'
import { tellQueue } from './tell-queue.ts'

/** Why a run waits, what it does, or what became of it; the most decisive first. */
export function explainRun(run: RunOutlook): Telling {
  const telling: Telling = { findings: [], whatToDo: [], quotes: [] }
  if (run.status === 'queued') tellQueue(run, telling)
  else if (run.finishedAt === null) tellProgress(run, telling)
  else tellEnd(run, telling)
  return telling
}
