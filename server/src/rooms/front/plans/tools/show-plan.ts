import type { Plan } from '@signalbox/contracts/plans'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { ownText, type Told, type ToolAnswer } from '#platform/tools'

export const { createPlan } = planRoutes

/** A plan as an agent reads it, and how to confirm it. The arguments are the agent's own: they are not repeated. */
export function showPlan({ body }: { readonly body: Told<Plan> }): ToolAnswer {
  const { id, action, target, effects, preconditions, confirmation, confirmation_reason, expires_at } = body
  return {
    facts: { plan_id: id, action, target, effects, preconditions, confirmation, confirmation_reason, expires_at },
    next: [
      {
        tool: 'confirm_plan',
        arguments: { plan_id: ownText(id), action, target: ownText(target) },
        brings: confirmation === 'person' ? 'it is put before another person' : 'it is carried out',
      },
    ],
  }
}

/** A part of a body: what was not given is left out. */
export function given<T extends object>(values: T): Partial<T>
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
