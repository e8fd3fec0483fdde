import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { describeFaults, type FieldError, platformProblem } from '#platform/problems'
import { overrideProblem } from '../errors.ts'
import type { Means } from '../means.ts'

/** The pipeline and scope that the request wants an override to start. */
export interface WantedTarget {
  readonly pipeline: string
  /** Undefined: the only environment of the pipeline's team. */
  readonly scope: string | undefined
}

export interface Target {
  readonly pipeline: string
  /** Of the pipeline. */
  readonly teamPath: string
  readonly scope: string
}

/** The target, or everything that is wrong with it. */
export async function resolveTarget(
  means: Means,
  db: Queryable,
  caller: Caller,
  wanted: WantedTarget,
): Promise<{ readonly target: Target } | { readonly faults: readonly FieldError[] }> {
  const { pipeline, scope } = wanted
  const faults: FieldError[] = []
  const found = await means.pipelines.find(db, pipeline)
  // Asked also when there is none, so that the answer is the same.
  const visible = caller.can('pipeline.read', found?.teamPath ?? '/')
  if (!found || !visible) {
    faults.push({ field: 'pipeline', message: `there is no pipeline ${pipeline} that you may see` })
  }
  if (scope !== undefined && (await means.access.judgeScope(caller, scope)) === 'unknown') {
    faults.push({ field: 'scope', message: `there is no scope ${scope} that you may use` })
  }
  if (!found || faults.length > 0) return { faults }
  if (scope !== undefined) return { target: { pipeline, teamPath: found.teamPath, scope } }
  const alone = await means.runs.findDefaultScope(db, found.teamPath)
  if ('problem' in alone) return { faults: [{ field: 'scope', message: alone.problem }] }
  return { target: { pipeline, teamPath: found.teamPath, scope: alone.scope } }
}

/** Each right that the caller lacks to make events start it, as a sentence. */
export async function findMissingRights(
  means: Pick<Means, 'access'>,
  caller: Caller,
  target: Target,
): Promise<readonly FieldError[]> {
  const missing: FieldError[] = []
  for (const permission of ['override.write', 'run.start'] as const) {
    if (caller.can(permission, target.teamPath)) continue
    const message = `You need ${permission} on ${target.teamPath}.`
    missing.push({ field: 'pipeline', message })
  }
  if ((await means.access.judgeScope(caller, target.scope)) !== 'usable') {
    const others = (await means.access.snapshot()).whoMayUse(target.scope)
    missing.push({ field: 'scope', message: `You may not use the scope ${target.scope}. ${others}` })
  }
  return missing
}

/**
 * The target of an override that the caller may write. Throws override.invalid (400) with all that is wrong, forbidden
 * (403) where the caller may not start it. Whether the repository is the caller's to override decides when events come.
 */
export async function requireTarget(
  means: Means,
  db: Queryable,
  caller: Caller,
  wanted: WantedTarget,
): Promise<Target> {
  const resolved = await resolveTarget(means, db, caller, wanted)
  if ('faults' in resolved) throw invalid(resolved.faults)
  const { target } = resolved
  const [missing] = await findMissingRights(means, caller, target)
  if (missing) throw platformProblem('forbidden', missing.message)
  return target
}

export function invalid(faults: readonly FieldError[]): Error {
  const detail = faults.length > 0 ? describeFaults(faults) : 'The override is not valid.'
  return overrideProblem('override.invalid', detail, { errors: faults })
}
