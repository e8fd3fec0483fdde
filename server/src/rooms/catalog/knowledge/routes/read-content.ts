import type { KnowledgeReplacement } from '@signalbox/contracts/knowledge'
import type { ItemContent } from '../rules/index.ts'

/** The content of an item with what was left out: everything of the team and below it, UTC. */
export function readContent(body: KnowledgeReplacement): ItemContent {
  return {
    scope: body.scope ?? '**',
    rule: body.rule ?? null,
    at: body.at ?? null,
    timeZone: body.time_zone ?? 'UTC',
    message: body.message ?? null,
    text: body.text ?? '',
  }
}
