import { setTimeout as wait } from 'node:timers/promises'
import { anything, list, number, object, orNull, type Shape, text } from '../../client/shape.ts'
import { CommandFailed } from '../../errors.ts'

// What people do at the fake forge, and what it shows them (e2e/forge/README.md).

const CALL_MS = 30_000
const PATIENCE_MS = 120_000
const PAUSE_MS = 50

const reactions = object({ total_count: number, '+1': number, '-1': number, confused: number, eyes: number })
const annotation = object({
  path: text,
  start_line: number,
  annotation_level: text,
  title: orNull(text),
  message: text,
})
export const shapes = {
  led: object({ location: text, led_to: orNull(text) }),
  pushed: object({ before: text, after: text }),
  pull: object({ number, head_sha: text }),
  deliveries: list(object({ guid: text, event: text, action: orNull(text), status_code: number })),
  calls: list(object({ line: text, body: anything })),
  checks: list(
    object({
      id: number,
      name: text,
      external_id: text,
      status: text,
      conclusion: orNull(text),
      output: object({ title: orNull(text), summary: orNull(text) }),
      annotations: list(annotation),
    }),
  ),
  comments: list(object({ id: number, html_url: text, body: text, user: object({ login: text }), reactions })),
  made: object({ id: number }),
}

export type Check = ReturnType<typeof shapes.checks>[number]

/** `line` is a method and a path below the control address of the forge. */
export async function tellForge<T>(controlUrl: string, line: string, shape: Shape<T>, body?: unknown): Promise<T> {
  const [method = 'GET', path = ''] = line.split(' ')
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    signal: AbortSignal.timeout(CALL_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const said = await response.text()
  if (!response.ok) throw new CommandFailed('unexpected', `The fake forge refused ${line}: ${said}`)
  return shape(JSON.parse(said), 'forge')
}

/** Asks until there is an answer; throws where none comes in time. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const begun = performance.now()
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    if (performance.now() - begun > PATIENCE_MS) {
      throw new CommandFailed('unexpected', `${what} did not come within ${PATIENCE_MS / 1000} s.`)
    }
    await wait(PAUSE_MS)
  }
}
