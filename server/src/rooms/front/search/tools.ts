import { STRICT } from '@signalbox/contracts/http'
import type { FindKind, FoundThing } from '@signalbox/contracts/search'
import { searchRoutes } from '@signalbox/contracts/search/routes'
import { Type } from 'typebox'
import type { Caller } from '#platform/http'
import { defineTool, type NextCall, ownText, type Told, type Tool } from '#platform/tools'

const { find } = searchRoutes

/** The argument by which the tool that tells more takes a thing of this kind. */
const ARGUMENTS: Partial<Readonly<Record<FindKind, string>>> = {
  run: 'run_id',
  pipeline: 'pipeline',
  delivery: 'delivery_id',
  event: 'delivery_id',
  override: 'repository',
  schedule: 'schedule',
  knowledge: 'item',
}
const PULL_REQUEST = /^([\w.-]+(?:\/[\w.-]+)+)[#!](\d{1,9})$/

const findTool = defineTool({
  name: 'find',
  title: 'Find anything',
  family: 'runs',
  does: 'read',
  description:
    'What a name, an id, the address of a page, a commit (7 digits or more), owner/name, a branch or a pull request (acme/shop#12) means here: ids, and the tool that tells more. Start here when you have no id.',
  input: Type.Object(
    {
      q: Type.String({ minLength: 1, maxLength: 1000, description: 'As a person pasted it.' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    },
    STRICT,
  ),
  routes: { find },
  async handle({ input, caller, routes }) {
    const { found } = (await routes.find({ query: { limit: 10, ...input } })).body
    const [best] = found
    return { facts: { found }, next: [...(best ? toldMore(best) : []), ...explainedPush(input.q, caller)] }
  },
})

function toldMore({ kind, id, parent_id: parent, tool }: Told<FoundThing>): NextCall[] {
  const argument = ARGUMENTS[kind]
  const value = kind === 'event' ? parent : id
  if (tool === null || argument === undefined || value === null) return []
  return [{ tool: ownText(tool), arguments: { [argument]: ownText(value) }, brings: 'what is known of the first' }]
}

/** A pull request that started nothing has no run: why, is told by another tool. */
function explainedPush(q: string, caller: Caller): NextCall[] {
  const [, repository, number] = PULL_REQUEST.exec(q.trim()) ?? []
  if (repository === undefined || caller.prefixes('delivery.read').length === 0) return []
  const asked = { repository, pull_request: Number(number) }
  return [{ tool: 'explain_push', arguments: asked, brings: 'what the pull request started, or why nothing' }]
}

export const searchTools: readonly Tool[] = [findTool]
