import { object, orNull, text } from '../../client/shape.ts'
import { escapeText } from '../../output/escape.ts'
import { type Check, shapes, tellForge, until } from './forge-control.ts'
import { REPOSITORY } from './project.ts'
import type { Telling } from './telling.ts'

/** A commit at the forge, and the run that came of it. */
export interface Pushed {
  readonly sha: string
  readonly runId: string
}

const stateShape = object({ external_id: orNull(text), status: orNull(text), conclusion: orNull(text) })

/** Waits until the forge shows the check of a run as it is wanted. */
export function findCheck(controlUrl: string, { sha, runId }: Pushed, good: (check: Check) => boolean): Promise<Check> {
  return until('The check of the run', async () => {
    const found = await tellForge(controlUrl, `GET /checks?repository=${REPOSITORY}&sha=${sha}`, shapes.checks)
    return found.find((check) => check.external_id === runId && good(check))
  })
}

/** Prints the check of a finished run: what the forge was told, and what it shows. `marks`: how many stand at files in the end. */
export async function showCheck({ context, product, say }: Telling, pushed: Pushed, marks: number): Promise<void> {
  const { controlUrl } = product.forge
  const isWhole = ({ status, annotations }: Check) => status === 'completed' && annotations.length >= marks
  const check = await findCheck(controlUrl, pushed, isWhole)
  const { title, summary } = check.output
  say('check', `${check.name} of ${pushed.sha.slice(0, 10)}: ${check.conclusion}, ${escapeText(title ?? '')}`)
  say('told', (await listStates(controlUrl, check)).join(', then '))
  say('summary', '')
  for (const line of (summary ?? '').split('\n')) if (line) context.printLine(`  ${escapeText(line)}`)
  for (const { path, start_line: line, annotation_level: level, title: heading, message } of check.annotations) {
    say('annotation', escapeText(`${path}:${line} ${level}: ${heading ?? ''}: ${message}`))
  }
}

/** The states that the calls of the control plane gave the check, oldest first. */
async function listStates(controlUrl: string, check: Check): Promise<readonly string[]> {
  const calls = await tellForge(controlUrl, 'GET /calls', shapes.calls)
  const made = `POST /api/v3/repos/${REPOSITORY}/check-runs`
  const changed = `PATCH /api/v3/repos/${REPOSITORY}/check-runs/${check.id}`
  const states = calls
    .filter(({ line }) => line === made || line === changed)
    .map(({ line, body }) => ({ line, ...stateShape(body, 'call') }))
    .filter(({ line, external_id: runId }) => line === changed || runId === check.external_id)
    .flatMap(({ status, conclusion }) => conclusion ?? status ?? [])
  return states.filter((state, at) => state !== states[at - 1])
}
