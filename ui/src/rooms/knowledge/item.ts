import type { BodyOf, ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import type { trialRoutes } from '@signalbox/contracts/trials/routes'
import { cutTowers } from '../../components/index.ts'

export type KnowledgeSummary = ItemOf<typeof knowledgeRoutes.listKnowledgeItems>
export type KnowledgeItem = SuccessOf<typeof knowledgeRoutes.getKnowledgeItem>
export type KnowledgeContent = Pick<
  BodyOf<typeof knowledgeRoutes.replaceKnowledgeItem>,
  'scope' | 'rule' | 'at' | 'time_zone' | 'message' | 'text'
>
export type TriedRun = SuccessOf<typeof trialRoutes.tryKnowledgeItem>['runs'][number]
export type Emergency = ItemOf<typeof knowledgeRoutes.listEmergencies>
export type KnowledgeKind = KnowledgeSummary['kind']

export const KINDS = ['policy', 'guardrail', 'reference'] as const

/** An item as a person edits it. */
export interface KnowledgeDraft {
  readonly scope: string
  readonly rule: string
  readonly message: string
  readonly text: string
  readonly timeZone: string
}

/** Towers of marks are cut, which the browser could not lay out in a field; they are lost when the draft is saved. */
export function draftOf({ scope, rule, message, text, time_zone }: KnowledgeItem): KnowledgeDraft {
  return {
    scope,
    rule: cutTowers(rule ?? ''),
    message: cutTowers(message ?? ''),
    text: cutTowers(text),
    timeZone: time_zone,
  }
}

/** The document that a draft stands for. What the form has no field for stays as it is stored. */
export function contentOf(draft: KnowledgeDraft, stored?: KnowledgeItem): KnowledgeContent {
  return {
    scope: draft.scope,
    rule: draft.rule.trim() === '' ? null : draft.rule,
    at: stored?.at ?? null,
    time_zone: draft.timeZone,
    message: draft.message.trim() === '' ? null : draft.message,
    text: draft.text,
  }
}
