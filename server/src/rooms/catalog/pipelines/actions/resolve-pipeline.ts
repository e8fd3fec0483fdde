import { checksOut, type GraphConcurrency } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Profiles, Requirement, ResolvedProfile } from '#rooms/catalog/profiles'
import { type PipelineReference, queueRequirement, referencesOf, toTexts } from '../rules/index.ts'
import * as store from '../store/index.ts'
import type { GraphReader } from './read-graph.ts'

/** Where and how tasks of one profile run, as a run pins it. */
export type PinnedProfile = Pick<ResolvedProfile, 'requirement' | 'environment' | 'image' | 'resources'>

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
  readonly image: string | null
  readonly resources: ResolvedProfile['resources']
  /** Of the profiles that its steps and tasks name, by the name in the document. */
  readonly profiles: Readonly<Record<string, PinnedProfile>>
  /** Everything outside itself that the initiator must be allowed to use. */
  readonly references: readonly PipelineReference[]
  /** Whether a task of it wants the files of a repository. */
  readonly checksOut: boolean
  /** Profiles of steps and tasks that are gone since it was saved: no run of it can be queued. */
  readonly faults: readonly { readonly field: string; readonly message: string }[]
  readonly priority: number
  readonly queueTimeoutMs: number | null
  readonly concurrency: GraphConcurrency | null
  readonly timeoutMs: number | null
}

interface ResolveNeeds {
  readonly profiles: Profiles
  readonly getGraph: GraphReader
}

/** The current version of a live pipeline. Undefined when there is no such pipeline. */
export async function resolveCurrent(
  needs: ResolveNeeds,
  db: Queryable,
  identifier: string,
): Promise<PipelineForRun | undefined> {
  const row = await store.findRunnable(db, identifier)
  if (!row) return undefined
  // The profile that was found at the save, not the one that the name would mean now: what was checked is what runs.
  const profile = await needs.profiles.find(db, row.profileId)
  return profile && (await toPipelineForRun(needs, db, row, profile, toTexts(row.profiles)))
}

/** One version, whether or not it is the current one or its pipeline is deleted; `problem` when its profile is gone. */
export async function resolveVersion(
  needs: ResolveNeeds,
  db: Queryable,
  versionId: string,
): Promise<PipelineForRun | { readonly problem: string } | undefined> {
  const row = await store.findRunnableVersion(db, versionId)
  if (!row) return undefined
  const profile = await needs.profiles.resolve(db, row.profile, row.teamPath)
  return 'problem' in profile ? profile : await toPipelineForRun(needs, db, row, profile, {})
}

async function toPipelineForRun(
  needs: ResolveNeeds,
  db: Queryable,
  row: store.RunnableVersion,
  profile: ResolvedProfile,
  found: Readonly<Record<string, string>>,
): Promise<PipelineForRun | undefined> {
  const graph = await needs.getGraph(db, row.versionId)
  if (!graph) return undefined
  const references = referencesOf(graph)
  const resolved = await resolveProfiles(needs, db, references, row.teamPath, found)
  return {
    pipelineId: row.pipelineId,
    versionId: row.versionId,
    version: row.version,
    identifier: row.identifier,
    name: row.name,
    teamPath: row.teamPath,
    requirement: queueRequirement(graph, profile, resolved.profiles),
    profile: profile.identifier,
    profileEnvironment: profile.environment,
    variables: toTexts(row.variables),
    secrets: Object.entries(toTexts(row.secrets)).map(([name, path]) => ({ name, path })),
    image: profile.image,
    resources: profile.resources,
    ...resolved,
    references,
    checksOut: checksOut(graph),
    priority: graph.priority,
    queueTimeoutMs: graph.queueTimeoutMs,
    concurrency: graph.concurrency,
    timeoutMs: row.timeoutMs,
  }
}

/** Of steps and tasks, by the ids that were found at the save where they are known; the pipeline's own is there already. */
async function resolveProfiles(
  needs: ResolveNeeds,
  db: Queryable,
  references: readonly PipelineReference[],
  teamPath: string,
  ids: Readonly<Record<string, string>>,
): Promise<Pick<PipelineForRun, 'profiles' | 'faults'>> {
  const named = references.filter(({ kind, directive }) => kind === 'profile' && directive !== 'profile')
  const profiles: Record<string, PinnedProfile> = {}
  const faults: PipelineForRun['faults'][number][] = []
  for (const [name, places] of Map.groupBy(named, (reference) => reference.target)) {
    const id = ids[name]
    const held = id === undefined ? undefined : await needs.profiles.find(db, id)
    const found = held ?? (await needs.profiles.resolve(db, name, teamPath))
    if ('problem' in found) {
      for (const { directive } of places) faults.push({ field: directive, message: found.problem })
      continue
    }
    const { requirement, environment, image, resources } = found
    profiles[name] = { requirement, environment, image, resources }
  }
  return { profiles, faults }
}
