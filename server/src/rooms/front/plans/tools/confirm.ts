import { STRICT, Uuid } from '@signalbox/contracts/http'
import { PlanConfirmation } from '@signalbox/contracts/plans'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { Type } from 'typebox'
import { defineTool, type NextCall, ownText, type PersonPage, type Tool } from '#platform/tools'

const { getPlan, confirmPlan } = planRoutes

/**
 * The only tool that writes. A client that asks its person first shows what is confirmed. A client that can show a page shows
 * that of a plan that waits for a person from this call on. Nothing that the client says about it counts: the client is the
 * agent. The person approves on the page, in a session of their own.
 */
export const confirmTool: Tool = defineTool({
  name: 'confirm_plan',
  title: 'Confirm a plan',
  family: 'platform',
  does: 'confirm',
  description:
    'Carries out a plan, once. action and target must be those of the plan. Some plans wait for a person after it: call again to learn what became of it.',
  input: Type.Object({ plan_id: Uuid, ...PlanConfirmation.properties }, STRICT),
  routes: { getPlan, confirmPlan },
  async handle({ input: { plan_id: id, action, target }, routes }) {
    const { body: before } = await routes.getPlan({ params: { id } })
    const { body } = await routes.confirmPlan({ params: { id }, body: { action, target } })
    const { status, confirmation_reason, outcome, expires_at } = body
    if (status === 'waiting_for_person') {
      const again = { tool: 'confirm_plan', arguments: { plan_id: id, action, target }, brings: 'what became of it' }
      return {
        facts: { plan_id: id, status, confirmation_reason, waits_until: expires_at, approval: approvalOf(id) },
        next: [again],
        ...(before.status === 'waiting' ? { opens: pageOf(id, ownText(expires_at)) } : {}),
      }
    }
    const facts = { plan_id: id, status, action, target: body.target, outcome }
    const next = (outcome?.resources ?? []).flatMap((resource): NextCall[] => {
      if (resource.id === null || !resource.kind.isOurs || ownText(resource.kind) !== 'run') return []
      return [{ tool: 'wait_for_run', arguments: { run_id: ownText(resource.id) }, brings: 'how the run ends' }]
    })
    return { facts, next: action === 'cancelRun' ? [] : next }
  },
})

/** Who approves, and where. */
function approvalOf(id: string): string {
  return `A person who may do the same, and did not plan it: on the page #/plans/${id}, or with signalbox plan approve ${id}.`
}

function pageOf(id: string, until: string): PersonPage {
  const message = `The plan ${id} waits for a person: whoever may do the same, and did not plan it, approves or refuses it on its page.`
  return { place: `#/plans/${id}`, message, until }
}
