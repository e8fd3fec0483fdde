import type { Permission } from '@signalbox/contracts/access'
import { STRICT } from '@signalbox/contracts/http'
import type { PushExplanation } from '@signalbox/contracts/sources'
import { pushExplanationRoutes } from '@signalbox/contracts/sources/routes'
import { Type } from 'typebox'
import { defineTool, type NextCall, ownText, type Told } from '#platform/tools'

/** The route says what is wrong with a text: its patterns would cost each agent more than they help. */
const text = Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }))

/** What the answer could say more with; the sentences of the answer say what that is. */
const TELLING: readonly Permission[] = ['trigger.read', 'override.read', 'event.read']

export const explainPushTool = defineTool({
  name: 'explain_push',
  title: 'Why a push started nothing',
  family: 'git',
  does: 'read',
  description:
    'What a push, tag or pull request started, or why nothing: the delivery, the rule that decided, the first condition that failed, and what to do. Give repository and one change, or delivery_id.',
  input: Type.Object(
    {
      repository: text,
      commit_sha: text,
      ref: text,
      tag: text,
      pull_request: Type.Optional(Type.Integer({ minimum: 1 })),
      delivery_id: text,
    },
    STRICT,
  ),
  routes: { explainPush: pushExplanationRoutes.explainPush },
  needs: ['webhook_source.read'],
  async handle({ input, caller, routes }) {
    const { body } = await routes.explainPush({ query: input })
    return {
      facts: body,
      next: lookCloser(body),
      leftOut: TELLING.filter((permission) => caller.prefixes(permission).length === 0),
    }
  },
})

/** What may be looked at next: the first run, or the trace of the first delivery. */
function lookCloser({ changes, outcome }: Told<PushExplanation>): readonly NextCall[] {
  const [first] = changes
  const run = first?.run_ids[0]
  if (run && (outcome === 'started' || outcome === 'held')) {
    return [{ tool: 'explain_run', arguments: { run_id: ownText(run) }, brings: 'where the run is, and why' }]
  }
  if (!first?.delivery_id) return []
  const arguments_ = { delivery_id: ownText(first.delivery_id) }
  return [{ tool: 'get_delivery', arguments: arguments_, brings: 'every rule with every condition' }]
}
