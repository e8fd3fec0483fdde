import type { CallOrigin } from '#platform/http'
import type { Completion } from '#platform/mcp'
import { Problem } from '#platform/problems'
import { keyOf } from '../limits/call-limits.ts'
import type { Means } from '../means.ts'
import { auditCall } from './audit-call.ts'

/** What can be completed, by the name of the argument or variable. */
const SOURCES: Readonly<Record<string, 'runs' | 'pipelines' | 'documents'>> = {
  run_id: 'runs',
  'signalbox://runs/{id} id': 'runs',
  'signalbox://runs/{id}/log{?step,task} id': 'runs',
  path: 'pipelines',
  'signalbox://pipelines/{+path} path': 'pipelines',
  'signalbox://docs/{+page} page': 'documents',
}

const MOST = 100

/** Ids and paths that the caller may see and that begin so; none where nothing can be completed. */
export async function completeValue(
  means: Means,
  origin: CallOrigin,
  { of, name, value }: Completion,
): Promise<readonly string[]> {
  const source = SOURCES['prompt' in of ? name : `${of.template} ${name}`]
  if (source === 'runs') return listOf(means, origin, { route: 'listRuns', field: 'run_id', value })
  if (source === 'pipelines') return listOf(means, origin, { route: 'listPipelines', field: 'identifier', value })
  if (source !== 'documents') return []
  return (await means.documents.list()).map((head) => head.name).filter((page) => page.startsWith(value))
}

interface Wanted {
  readonly route: string
  readonly field: string
  readonly value: string
}

/** It costs what a call of a tool costs, so it takes a turn of one and is audited like one. */
async function listOf(means: Means, origin: CallOrigin, { route, field, value }: Wanted): Promise<readonly string[]> {
  const turn = means.limits.take(keyOf(origin.caller), 'read')
  if ('retryAfterSeconds' in turn) return []
  try {
    const call = { tool: 'completion', input: { route, value }, client: undefined, planId: null }
    await auditCall(means, origin, { ...call, bytes: 0, outcome: 'answered' })
    const { body } = await means.calls.call(route, { query: { limit: 500 } }, origin)
    const items: readonly unknown[] = Array.isArray(body) ? body : []
    const values = items.map((item) => new Map<string, unknown>(Object.entries(Object(item))).get(field))
    return values
      .filter((each) => typeof each === 'string')
      .filter((each) => each.startsWith(value))
      .slice(0, MOST)
  } catch (error) {
    // Whoever may see none of them is offered nothing.
    if (error instanceof Problem && error.status < 500) return []
    throw error
  } finally {
    turn.done()
  }
}
