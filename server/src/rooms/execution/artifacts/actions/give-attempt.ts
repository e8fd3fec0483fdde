import type { GraphTask, TaskReference } from '@signalbox/pipeline/graph'
import { urlOf } from '#platform/config'
import type { Means } from '../means.ts'
import { namespaceOf, sealToken } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** For the runner: an attempt finds and leaves files by these. Absent where the task has neither. */
export interface AttemptFiles {
  readonly transfer: { readonly url: string; readonly token: string }
  readonly downloads: readonly { readonly artifactId: string; readonly name: string }[]
}

/** The part of a task that says which files its attempts find and leave. */
export type TaskFiles = Pick<GraphTask, 'artifacts' | 'needsArtifacts' | 'cache'>

export interface AttemptPlace {
  readonly attemptId: string
  readonly runId: string
  readonly teamPath: string
  readonly step: string
  readonly task: string
  readonly untrusted: boolean
  readonly repository: string | null
  readonly pullRequest: number | null
}

/**
 * The address and the token of an attempt, and the artifacts of the tasks that its task names. The last attempt with
 * artifacts counts; `missing` names the tasks without any.
 */
export async function giveAttempt(
  means: Means,
  place: AttemptPlace,
  task: TaskFiles,
): Promise<(AttemptFiles & { readonly missing: readonly string[] }) | undefined> {
  if (task.artifacts === null && task.needsArtifacts.length === 0 && task.cache === null) return undefined
  const { attemptId, runId, teamPath, step, task: name } = place
  const subject = { attemptId, runId, teamPath, step, task: name, ...namespaceOf(place) }
  const there = task.needsArtifacts.length === 0 ? [] : await store.listOfRun(means.database.kysely, runId)
  const found = task.needsArtifacts.map((reference) => latestOf(there, reference))
  const missing = task.needsArtifacts.filter((_, at) => found[at]?.length === 0).map((one) => `${one.step}.${one.task}`)
  return {
    transfer: { url: transferUrl(means), token: sealToken(means.sealer, subject) },
    downloads: found.flat().map((artifact) => ({ artifactId: artifact.id, name: artifact.name })),
    missing,
  }
}

/** Ids are ordered by time: the attempt that came last comes last. */
function latestOf(artifacts: readonly store.ArtifactRow[], { step, task }: TaskReference): store.ArtifactRow[] {
  const own = artifacts.filter((artifact) => artifact.step === step && artifact.task === task)
  const last = own.at(-1)?.attemptId
  return own.filter((artifact) => artifact.attemptId === last)
}

/** Where runners reach the API: as people do. */
function transferUrl({ api, config: { baseUrl, host, port } }: Means): string {
  return baseUrl ?? api.url ?? urlOf(host, port)
}
