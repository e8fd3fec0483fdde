import type { KnowledgeInput, KnowledgeReplacement } from '@signalbox/contracts/knowledge'
import type { ItemContent, ItemPlace } from '../rules/index.ts'

/** An item as somebody wrote it. */
export function readItem(body: KnowledgeInput): ItemPlace & ItemContent {
  return { ...readContent(body), teamPath: body.team_path, name: body.name, kind: body.kind }
}

/** Without a scope: everything of the team and below it. Without a time zone: UTC. */
export function readContent(body: KnowledgeReplacement): ItemContent {
  const { scope = '**', rule = null, at: judgedAt = null, message = null, text = '' } = body
  return { scope, rule, judgedAt, timeZone: body.time_zone ?? 'UTC', message, text }
}
