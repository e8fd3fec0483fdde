import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { childrenOf } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** A pipeline and where it runs; or a document that is not saved, whose runs may be anywhere. */
export type ReachStart =
  | { readonly pipeline: string; readonly scope: string; readonly pinned?: Pinned | undefined }
  | { readonly document: string }

/** A version of one pipeline, also of one that was deleted: a new pipeline may have its name, and other versions. */
interface Pinned {
  readonly pipelineId: string
  readonly version: number
}

export interface Reach {
  readonly scopes: readonly string[]
  /** False where a pipeline is gone, a document is wrong, or there is too much to look at. */
  readonly isKnown: boolean
}

/** Pairs of a pipeline and a scope: what takes more is not known. */
const MOST = 300

interface Place {
  readonly graph: Graph | undefined
  readonly scope: string | undefined
}

/**
 * All scopes that such runs reach: their own, those of their steps, and those of child pipelines, however deep. A child runs
 * in the scope of its step.
 */
export async function reachScopes(means: Means, db: Queryable, starts: readonly ReachStart[]): Promise<Reach> {
  const [scopes, seen] = [new Set<string>(), new Set<string>()]
  const open: ReachOpen[] = starts.map((start) => ('document' in start ? start : { pinned: undefined, ...start }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const key = JSON.stringify(next)
    if (seen.has(key)) continue
    seen.add(key)
    const { graph, scope } = await findPlace(means, db, next)
    if (scope !== undefined) scopes.add(scope)
    if (graph === undefined || seen.size > MOST) return { scopes: [...scopes], isKnown: false }
    for (const step of graph.steps) if (step.scope !== null) scopes.add(step.scope)
    const children = childrenOf(graph)
    open.push(...children.map(({ child, scope: own }) => ({ pipeline: child, scope: own ?? scope, pinned: undefined })))
  }
  return { scopes: [...scopes], isKnown: true }
}

type ReachOpen =
  | { readonly pipeline: string; readonly scope: string | undefined; readonly pinned: Pinned | undefined }
  | { readonly document: string }

async function findPlace(means: Means, db: Queryable, open: ReachOpen): Promise<Place> {
  if ('document' in open) {
    const parsed = await means.parse(open.document)
    return { graph: parsed.ok ? parsed.graph : undefined, scope: undefined }
  }
  const { pipeline, scope, pinned } = open
  return { graph: await findGraph(means, db, pipeline, pinned), scope }
}

async function findGraph(
  means: Means,
  db: Queryable,
  identifier: string,
  pinned: Pinned | undefined,
): Promise<Graph | undefined> {
  if (pinned) {
    const version = await store.findVersion(db, pinned.pipelineId, pinned.version)
    return version && means.getGraph(db, version.id)
  }
  const current = await store.findRunnable(db, identifier)
  return current && means.getGraph(db, current.versionId)
}
