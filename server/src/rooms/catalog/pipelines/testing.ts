import { parsePipeline } from '@signalbox/pipeline/document'
import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import type { AbovePipelines } from './means.ts'
import { childrenOf } from './rules/index.ts'
import * as store from './store/index.ts'

/** Where no room stands on pipelines. */
export const NOTHING_ABOVE: AbovePipelines = { listStarting: async () => [] }

const ids = createIds(Date.now)

/** A small sound document; `more` are further top-level lines. */
export function aDocument(name: string, more = ''): string {
  return `name: ${name}\n${more}steps:\n  - name: test\n    tasks:\n      - name: unit\n        run: npm test\n`
}

/**
 * Stores `<team path>/<name>` of a team that exists, version 1. `document` must be sound and named `<name>`; what it
 * refers to outside itself is not looked up.
 */
export async function aPipeline(
  db: Queryable,
  identifier: string,
  document?: string,
): Promise<{ readonly id: string; readonly versionId: string }> {
  const slash = identifier.lastIndexOf('/')
  const [teamPath, name] = [identifier.slice(0, slash), identifier.slice(slash + 1)]
  const text = document ?? aDocument(name)
  const parsed = parsePipeline(text)
  if (!parsed.ok) throw new Error(`Not a sound document: ${JSON.stringify(parsed.problems)}`)
  const at = new Date()
  const [id, versionId] = [ids.next(), ids.next()]
  await store.insertPipeline(db, { id, teamPath, name, version: 1, profileId: null, createdAt: at, updatedAt: at })
  await store.insertVersion(db, {
    id: versionId,
    pipelineId: id,
    version: 1,
    document: text,
    graph: parsed.graph,
    savedBy: 'tester',
    savedAt: at,
  })
  await store.replaceChildren(db, id, childrenOf(parsed.graph))
  return { id, versionId }
}

/** As large as a document may be: 2,000 tasks, each in a line of its own. */
export function aLargeDocument(name: string): string {
  const steps = Array.from({ length: 20 }, (_, step) => {
    const tasks = Array.from({ length: 100 }, (__, task) => {
      const after = task === 0 ? '' : `, depends_on: [t${task - 1}]`
      return `      - { name: t${task}, run: npm run a-script-of-this-long-name -- ${step}.${task}, timeout: 10m, outputs: { o: }${after} }\n`
    })
    return `  - name: s${step}\n    tasks:\n${tasks.join('')}`
  })
  return `name: ${name}\nsteps:\n${steps.join('')}`
}
