import type { Permission } from '@signalbox/contracts/access'
import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import type { Caller } from '#platform/http'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import type { Means } from '../means.ts'
import { findFaults } from './find-faults.ts'

/** A run that starts later, without a request, on behalf of somebody. */
export interface WantedStart {
  /** `<team path>/<name>`. */
  readonly pipeline: string
  readonly scope: string
  readonly variables: Readonly<Record<string, string>>
  /** Its tasks check out what the owner of the start named: that takes as much as writing the pipeline. */
  readonly namesRepository: boolean
}

/** `denied`: the subject lacks a right. `invalid`: the run cannot start for anybody now. */
export interface Refusal {
  readonly why: 'denied' | 'invalid'
  /** A sentence. */
  readonly reason: string
}

export type JudgedStart = { readonly pipeline: PipelineForRun } | { readonly refusal: Refusal }

/**
 * The pipeline at its newest version, where the subject may start it now as wanted; else the reason. Rights and the
 * pipeline are read from memory, the secrets that the pipeline names from the database. A subject that is gone or disabled
 * is undefined.
 */
export async function judgeStart(
  means: Means,
  subject: Caller | undefined,
  name: string,
  wanted: WantedStart,
): Promise<JudgedStart> {
  const denied = (reason: string) => ({ refusal: { why: 'denied' as const, reason } })
  const invalid = (reason: string) => ({ refusal: { why: 'invalid' as const, reason } })
  if (!subject) return denied(`${name} does not exist any more, or is disabled.`)
  // By the name alone, before the look-up: a refusal does not tell whether there is such a pipeline.
  const teamPath = wanted.pipeline.slice(0, wanted.pipeline.lastIndexOf('/'))
  const lacking = permissionsOf(wanted).find((permission) => !subject.can(permission, teamPath))
  if (lacking) return denied(`${name} lacks the permission ${lacking} on ${teamPath} for ${wanted.pipeline}.`)
  const pipeline = await means.pipelines.lookup(wanted.pipeline)
  if (!pipeline) return invalid(`The pipeline ${wanted.pipeline} does not exist or cannot run.`)
  const verdict = await means.access.judgeScope(subject, wanted.scope)
  if (verdict !== 'usable') return denied(`${name} may not use the scope ${wanted.scope}.`)
  const [gone] = pipeline.faults
  if (gone) return invalid(`${gone.field}: ${gone.message}`)
  const { references } = pipeline
  const asked = { teamPath, references, untrusted: false, who: name }
  const [fault] = await findFaults(means, means.database.kysely, subject, asked)
  if (fault) {
    const reason = `${fault.field}: ${fault.message}`
    return fault.why === 'forbidden' ? denied(reason) : invalid(reason)
  }
  const [stray] = findUndeclaredVariables(pipeline, Object.keys(wanted.variables))
  return stray ? invalid(`${stray.name} ${stray.message}.`) : { pipeline }
}

function permissionsOf({ namesRepository }: WantedStart): readonly Permission[] {
  return ['pipeline.read', 'run.start', ...(namesRepository ? (['pipeline.write'] as const) : [])]
}
