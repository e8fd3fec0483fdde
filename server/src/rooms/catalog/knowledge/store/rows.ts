import { JUDGED_AT, KNOWLEDGE_KINDS } from '@signalbox/contracts/knowledge'
import type { KnowledgeKind, RuleContent } from '../rules/index.ts'

export interface ContentColumns {
  readonly scope: string
  readonly rule: string | null
  readonly judged_at: string | null
  readonly time_zone: string
  readonly message: string | null
}

export function toContent(row: ContentColumns): RuleContent {
  return {
    scope: row.scope,
    rule: row.rule,
    at: JUDGED_AT.find((place) => place === row.judged_at) ?? null,
    timeZone: row.time_zone,
    message: row.message,
  }
}

/** A kind that this release does not know blocks: it must not let go. */
export function toKind(text: string): KnowledgeKind {
  return KNOWLEDGE_KINDS.find((kind) => kind === text) ?? 'policy'
}
