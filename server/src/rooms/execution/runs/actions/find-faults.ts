import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { PipelineReference } from '#rooms/catalog/pipelines'
import type { Means } from '../means.ts'

/** Why somebody may not have what a directive names. */
export interface Fault {
  /** The directive. */
  readonly field: string
  /** A sentence. */
  readonly message: string
  readonly why: FaultReason
}

/**
 * `forbidden`: the caller sees it and may not use it. `unknown`: it is hidden or absent, which look alike. `missing`: it is
 * not there, or nobody may use it there.
 */
export type FaultReason = 'forbidden' | 'unknown' | 'missing'

/** The references of a pipeline that somebody wants to run. */
export interface WantedReferences {
  /** Of the pipeline. */
  readonly teamPath: string
  readonly references: readonly PipelineReference[]
  /** The run's code comes from a fork: the run gets no secrets and no protected scope. */
  readonly untrusted: boolean
  /** How the caller is called: `You`, or the name of a run's initiator. */
  readonly who: string
  /** Only what the caller may do is asked, from memory, and not whether the things exist: for the ingress. */
  readonly quick?: boolean
}

/** Asks for each thing that a pipeline names whether the caller may use it; each directive has one fault at most. */
export async function findFaults(
  means: Means,
  db: Queryable,
  caller: Caller,
  wanted: WantedReferences,
): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  for (const reference of wanted.references) {
    const fault = await findFault(means, db, { caller, ...wanted }, reference)
    if (fault) faults.push({ field: reference.directive, ...fault })
  }
  return faults
}

type Refusal = Omit<Fault, 'field'>

async function findFault(
  means: Means,
  db: Queryable,
  { caller, teamPath, untrusted, who, quick }: WantedReferences & { readonly caller: Caller },
  { kind, target }: PipelineReference,
): Promise<Refusal | undefined> {
  const forbidden = (message: string): Refusal => ({ message, why: 'forbidden' })
  switch (kind) {
    case 'scope': {
      const verdict = await means.access.judgeScope(caller, target)
      if (verdict === 'unknown') {
        return { message: `There is no scope ${target} that ${named(who)} may use.`, why: 'unknown' }
      }
      if (verdict === 'forbidden') return forbidden(`${who} may not use the scope ${target}.`)
      if (!untrusted) return undefined
      const place = await means.teams.resolveScope(db, target)
      if (place?.protected === false) return undefined
      return forbidden(
        `The scope ${target} is protected, and the run is of a pull request from a fork or an unknown place.`,
      )
    }
    case 'secret': {
      if (untrusted) return undefined
      if (!caller.can('secret.read', teamPath)) return forbidden(`${who} may not use the secrets of ${teamPath}.`)
      if (quick) return undefined
      const unusable = await means.secrets.check(db, `secret:${target}`, teamPath)
      return unusable === undefined ? undefined : { message: unusable, why: 'missing' }
    }
    case 'profile':
      return caller.can('profile.read', teamPath)
        ? undefined
        : forbidden(`${who} may not use the profiles of ${teamPath}.`)
    case 'pipeline': {
      // A child is judged by all rights of the initiator when it starts, long after the token is asked for.
      if (caller.token?.limits) return forbidden(`A token with limits starts nothing that starts ${target}.`)
      const owner = target.slice(0, target.lastIndexOf('/'))
      if (quick) return caller.can('run.start', owner) ? undefined : forbidden(`${who} may not start runs of ${owner}.`)
      const pipeline = await means.pipelines.find(db, target)
      if (!pipeline || !caller.can('pipeline.read', pipeline.teamPath)) {
        return { message: `There is no pipeline ${target} that ${named(who)} may see.`, why: 'missing' }
      }
      return caller.can('run.start', pipeline.teamPath)
        ? undefined
        : forbidden(`${who} may not start runs of ${pipeline.teamPath}.`)
    }
    default:
      return kind satisfies never
  }
}

/** Within a sentence. */
function named(who: string): string {
  return who === 'You' ? 'you' : who
}
