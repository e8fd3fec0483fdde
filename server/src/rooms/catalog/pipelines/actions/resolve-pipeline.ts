import { checksOut, type Graph, type GraphConcurrency } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Requirement, ResolvedProfile } from '#rooms/catalog/profiles'
import type { Means } from '../means.ts'
import { type PipelineReference, queueRequirement, referencesOf } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** Where and how tasks of one profile run, as a run pins it. */
export type PinnedProfile = Pick<ResolvedProfile, 'requirement' | 'environment' | 'image' | 'resources'>

/** One pipeline version as a run needs it to be queued; `getGraph` gives the graph. */
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
  readonly image: string | null
  readonly resources: ResolvedProfile['resources']
  /** Of the profiles that its steps and tasks name, by the name in the document. */
  readonly profiles: Readonly<Record<string, PinnedProfile>>
  /** Everything outside the pipeline that the initiator must be allowed to use. */
  readonly references: readonly PipelineReference[]
  /** Whether a task checks out a repository. */
  readonly checksOut: boolean
  /** Profiles of steps and tasks that were deleted since the save: no run can be queued. */
  readonly faults: readonly { readonly field: string; readonly message: string }[]
  readonly priority: number
  readonly queueTimeoutMs: number | null
  readonly concurrency: GraphConcurrency | null
  readonly timeoutMs: number | null
}

/** The current version of a live pipeline. Undefined when there is no such pipeline. */
export async function resolveCurrent(
  means: Means,
  db: Queryable,
  identifier: string,
): Promise<PipelineForRun | undefined> {
  const row = await store.findRunnable(db, identifier)
  if (!row) return undefined
  // The profile of the save, although the name may mean another one now: runs use the checked profile.
  const profile = await means.profiles.find(db, row.profileId)
  const graph = profile && (await means.getGraph(db, row.versionId))
  return graph && toPipelineForRun(means, db, { row, graph, profile, ids: row.profiles })
}

/** One version, whether or not it is the current one or its pipeline is deleted; `problem` when its profile is gone. */
export async function resolveVersion(
  means: Means,
  db: Queryable,
  versionId: string,
): Promise<PipelineForRun | { readonly problem: string } | undefined> {
  const row = await store.findRunnableVersion(db, versionId)
  const graph = row && (await means.getGraph(db, versionId))
  if (!graph) return undefined
  const profile = await means.profiles.resolve(db, graph.profile, row.teamPath)
  return 'problem' in profile ? profile : toPipelineForRun(means, db, { row, graph, profile, ids: {} })
}

interface Resolved {
  readonly row: store.RunnableVersion
  readonly graph: Graph
  /** Of the pipeline as a whole. */
  readonly profile: ResolvedProfile
  /** Of profiles that were found at the save: name in the document to id. */
  readonly ids: Readonly<Record<string, string>>
}

async function toPipelineForRun(means: Means, db: Queryable, resolved: Resolved): Promise<PipelineForRun> {
  const { row, graph, profile } = resolved
  const references = referencesOf(graph)
  const beside = await resolveProfiles(means, db, references, resolved)
  return {
    pipelineId: row.pipelineId,
    versionId: row.versionId,
    version: row.version,
    identifier: row.identifier,
    name: row.name,
    teamPath: row.teamPath,
    requirement: queueRequirement(graph, profile, beside.profiles),
    profile: profile.identifier,
    profileEnvironment: profile.environment,
    variables: graph.variables,
    secrets: Object.entries(graph.secrets).map(([name, path]) => ({ name, path })),
    image: profile.image,
    resources: profile.resources,
    ...beside,
    references,
    checksOut: checksOut(graph),
    priority: graph.priority,
    queueTimeoutMs: graph.queueTimeoutMs,
    concurrency: graph.concurrency,
    timeoutMs: graph.timeoutMs,
  }
}

/** The profiles of steps and tasks: by the ids of the save where they are known, otherwise by name. */
async function resolveProfiles(
  means: Means,
  db: Queryable,
  references: readonly PipelineReference[],
  { row, ids }: Resolved,
): Promise<Pick<PipelineForRun, 'profiles' | 'faults'>> {
  const named = references.filter(({ kind, directive }) => kind === 'profile' && directive !== 'profile')
  const profiles: Record<string, PinnedProfile> = {}
  const faults: PipelineForRun['faults'][number][] = []
  for (const [name, places] of Map.groupBy(named, (reference) => reference.target)) {
    const id = ids[name]
    const kept = id === undefined ? undefined : await means.profiles.find(db, id)
    const found = kept ?? (await means.profiles.resolve(db, name, row.teamPath))
    if ('problem' in found) {
      for (const { directive } of places) faults.push({ field: directive, message: found.problem })
      continue
    }
    const { requirement, environment, image, resources } = found
    profiles[name] = { requirement, environment, image, resources }
  }
  return { profiles, faults }
}
