import type { Queryable } from '#platform/database'
import { type Caller, requirePermission } from '#platform/http'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import type { Means } from '../means.ts'
import { authorizeRun, defaultScope, requireDeclared, wrong } from './authorize-run.ts'

/** A start that somebody writes down, to happen later on their behalf. */
export interface RequestedStart {
  /** `<team path>/<name>`. */
  readonly pipeline: string
  /** Undefined: the only environment of the team of the pipeline. */
  readonly scope: string | undefined
  readonly variables: Readonly<Record<string, string>>
  readonly namesRepository: boolean
}

/** The pipeline at its newest version, and the scope: as requested, or the team's only scope. */
export interface StartablePipeline {
  readonly pipeline: PipelineForRun
  readonly scope: string
}

/**
 * Checks that the caller may start the pipeline so. Throws run.not_startable (400), which names the field, for what does not
 * exist or is hidden. Throws forbidden (403) for what the caller sees and may not do.
 */
export async function requireStart(
  means: Means,
  db: Queryable,
  caller: Caller,
  wanted: RequestedStart,
): Promise<StartablePipeline> {
  const row = await means.pipelines.find(db, wanted.pipeline)
  if (!row || !caller.can('pipeline.read', row.teamPath)) {
    throw wrong('pipeline', `There is no pipeline ${wanted.pipeline} that you may see.`)
  }
  requirePermission(caller, 'run.start', row.teamPath)
  // Its tasks run whatever lies there, with the secrets of the pipeline: as much as writing the pipeline.
  if (wanted.namesRepository) requirePermission(caller, 'pipeline.write', row.teamPath)
  const pipeline = await means.pipelines.resolveForRun(db, row.identifier)
  if (!pipeline) throw wrong('profile', `The profile that ${row.identifier} names is gone: save the pipeline again.`)
  requireDeclared(pipeline, wanted.variables)
  const scope = wanted.scope ?? (await defaultScope(means, db, pipeline.teamPath))
  await authorizeRun(means, db, caller, { pipeline, scope, untrusted: false })
  return { pipeline, scope }
}
