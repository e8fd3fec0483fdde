import { PlanArguments } from '@signalbox/contracts/plans'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Sealer } from '#platform/crypto'
import type { PlannedCall } from '#platform/planning'
import type { StoredPlan } from '../rules/index.ts'

type Sealing = Pick<Sealer, 'seal' | 'open'>

const Outcome = Type.Object({ status: Type.Integer(), body: Type.Unknown() })
export interface Answered {
  readonly status: number
  readonly body: unknown
}

export function sealArguments(sealer: Sealing, id: string, given: PlanArguments): Buffer {
  return sealer.seal(JSON.stringify(given), `plan:${id}:arguments`)
}

/** The arguments as they were planned. Throws for those of another plan, or changed ones: nobody but us can have done that. */
export function openArguments(sealer: Sealing, { id, sealedArguments }: StoredPlan): PlanArguments {
  const opened: unknown = JSON.parse(sealer.open(sealedArguments, `plan:${id}:arguments`))
  if (Value.Check(PlanArguments, opened)) return opened
  throw new Error(`the arguments of the plan ${id} are not as plans are stored`)
}

/** Undefined for what does not open, such as those whose key is gone: one such plan must not hide all others. */
export function findArguments(sealer: Sealing, plan: StoredPlan): PlanArguments | undefined {
  try {
    return openArguments(sealer, plan)
  } catch {
    return undefined
  }
}

/** A request without a body has null in its place, as over HTTP. */
export function callOf({ params = {}, query = {}, body = null }: PlanArguments): PlannedCall {
  return { params, query, body }
}

export function sealOutcome(sealer: Sealing, id: string, { status, body }: Answered): Buffer {
  return sealer.seal(JSON.stringify({ status, body: body ?? null }), `plan:${id}:outcome`)
}

/** Undefined where nobody was told what the write answered, and for what does not open any more. */
export function openOutcome(sealer: Sealing, { id, sealedOutcome }: StoredPlan): Answered | undefined {
  if (sealedOutcome === null) return undefined
  try {
    const opened: unknown = JSON.parse(sealer.open(sealedOutcome, `plan:${id}:outcome`))
    return Value.Check(Outcome, opened) ? opened : undefined
  } catch {
    return undefined
  }
}
