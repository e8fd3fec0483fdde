import type { Graph } from '@signalbox/pipeline/graph'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#platform/database'
import type { Profiles, Requirement } from '#rooms/catalog/profiles'
import { isGraph, toTexts } from '../rules.ts'
import * as store from '../store/index.ts'

/** What queueing a run needs to know of one pipeline version; the graph comes apart, by getGraph. */
export interface PipelineForRun {
  readonly pipelineId: string
  readonly versionId: string
  readonly version: number
  readonly identifier: string
  readonly name: string
  readonly teamPath: string
  readonly requirement: Requirement
  /** Identifier of the profile; null: the default. */
  readonly profile: string | null
  readonly profileEnvironment: Readonly<Record<string, string>>
  /** As the document declares them; a trigger or a request may override values. */
  readonly variables: Readonly<Record<string, string>>
  /** `name` in the environment, `path` of the stored secret. */
  readonly secrets: readonly { readonly name: string; readonly path: string }[]
  /** Everything outside itself that the initiator must be allowed to use. */
  readonly references: { readonly secrets: readonly string[]; readonly profile: string | null }
  readonly timeoutMs: number | null
}

/** The current version of a live pipeline. Undefined when there is no such pipeline. */
export async function resolveCurrent(
  profiles: Profiles,
  db: Queryable,
  identifier: string,
): Promise<PipelineForRun | undefined> {
  const row = await store.findRunnable(db, identifier)
  if (!row) return undefined
  // The profile that was found at the save, not the one that the name would mean now: what was checked is what runs.
  const profile = await profiles.find(db, row.profileId)
  return profile && toPipelineForRun(row, profile)
}

/** One version, whether or not it is the current one or its pipeline is deleted; `problem` when its profile is gone. */
export async function resolveVersion(
  profiles: Profiles,
  db: Queryable,
  versionId: string,
): Promise<PipelineForRun | { readonly problem: string } | undefined> {
  const row = await store.findRunnableVersion(db, versionId)
  if (!row) return undefined
  const profile = await profiles.resolve(db, row.profile, row.teamPath)
  return 'problem' in profile ? profile : toPipelineForRun(row, profile)
}

function toPipelineForRun(
  row: store.RunnableVersion,
  profile: Exclude<Awaited<ReturnType<Profiles['find']>>, undefined>,
): PipelineForRun {
  const secrets = Object.entries(toTexts(row.secrets)).map(([name, path]) => ({ name, path }))
  return {
    pipelineId: row.pipelineId,
    versionId: row.versionId,
    version: row.version,
    identifier: row.identifier,
    name: row.name,
    teamPath: row.teamPath,
    requirement: profile.requirement,
    profile: profile.identifier,
    profileEnvironment: profile.environment,
    variables: toTexts(row.variables),
    secrets,
    references: { secrets: [...new Set(secrets.map((secret) => secret.path))], profile: profile.identifier },
    timeoutMs: row.timeoutMs,
  }
}

/** Characters of documents whose graphs are kept; a graph takes several times as many bytes. */
const GRAPH_CACHE_SIZE = 4 * 1024 * 1024

/** Graphs by version id. A version never changes, so one that is held is right for ever. Undefined: no such version. */
export function createGraphReader(): (db: Queryable, versionId: string) => Promise<Graph | undefined> {
  const graphs = new LRUCache<string, Graph>({ maxSize: GRAPH_CACHE_SIZE })
  return async (db, versionId) => {
    const held = graphs.get(versionId)
    if (held) return held
    const row = await store.findGraph(db, versionId)
    if (!row) return undefined
    if (!isGraph(row.graph))
      throw new Error(`The graph of pipeline version ${versionId} has a format of another release`)
    graphs.set(versionId, row.graph, { size: Math.max(row.size, 1) })
    return row.graph
  }
}
