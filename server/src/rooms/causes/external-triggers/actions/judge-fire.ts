import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import { describeFaults, type FieldError, type Problem, platformProblem } from '#platform/problems'
import type { NewRun, Refusal } from '#rooms/execution/runs'
import { externalTriggerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import type { ExternalTrigger } from '../store.ts'
import type { Sender } from './identify-sender.ts'

export interface RefusedFire {
  /** What the sender is told. */
  readonly problem: Problem
  /** What the owner is told, in one sentence. */
  readonly reason: string
  /** The right to start it is not there: what was answered before is not repeated either. */
  readonly isDenied: boolean
}

type Pipeline = NewRun['pipeline'] & { readonly checksOut: boolean }

/** Whether the owner, or the caller who fires it, may start it now with these variables. Throws the 503 of access. */
export async function judgeFire(
  means: Means,
  { trigger, caller }: Sender,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly pipeline: Pipeline } | { readonly refused: RefusedFire }> {
  const { ownerKind, ownerId, ownerName, pipeline: identifier, scope, variables: defaults } = trigger
  const subject = caller ?? (await means.access.subject(ownerKind, ownerId))
  const wanted = { pipeline: identifier, scope, variables: defaults, namesRepository: false }
  const judged = await means.runs.judgeStart(subject, caller?.name ?? ownerName, wanted)
  if ('refusal' in judged) {
    const { refusal } = judged
    // Who may not even see the pipeline is told that there is none; that right is lost all the same.
    const isDenied = refusal.why === 'denied' || !subject?.can('run.start', teamOf(identifier))
    return { refused: caller ? tellCaller(refusal, isDenied) : tellSender(refusal, isDenied) }
  }
  const { pipeline } = judged
  const faults = findFaults(trigger, pipeline, Object.keys(variables))
  if (faults.length === 0) return { pipeline }
  const reason = describeFaults(faults)
  const problem = externalTriggerProblem('external_trigger.fire_invalid', reason, { errors: faults })
  return { refused: { problem, reason, isDenied: false } }
}

/** A caller sees the trigger and what it starts. */
function tellCaller({ why, reason }: Refusal, isDenied: boolean): RefusedFire {
  const problem =
    why === 'denied'
      ? platformProblem('forbidden', reason)
      : externalTriggerProblem('external_trigger.fire_invalid', reason)
  return { problem, reason, isDenied }
}

/** Who knows the secret learns neither what it starts, nor where, nor who owns it. */
function tellSender({ reason }: Refusal, isDenied: boolean): RefusedFire {
  const detail = isDenied
    ? 'Nothing was started: its owner may not start it any more. The owner sees the reason.'
    : 'Nothing was started: what it starts cannot be started now. The owner sees the reason.'
  return { problem: externalTriggerProblem('external_trigger.refused', detail), reason, isDenied }
}

function findFaults(
  { allowedVariables }: Pick<ExternalTrigger, 'allowedVariables'>,
  pipeline: Pipeline,
  names: readonly string[],
): FieldError[] {
  const undeclared = new Set(findUndeclaredVariables(pipeline, names).map(({ name }) => name))
  const allowed = allowedVariables.length === 0 ? 'none may be' : `these may be: ${allowedVariables.join(', ')}`
  return names.flatMap((name) => {
    const field = `variables.${name}`
    if (!allowedVariables.includes(name)) return [{ field, message: `may not be set by a fire; ${allowed}` }]
    return undeclared.has(name) ? [{ field, message: 'is not a variable of the pipeline any more' }] : []
  })
}

/** Of `<team path>/<name>`. */
function teamOf(identifier: string): string {
  return identifier.slice(0, identifier.lastIndexOf('/'))
}
