import type { JUDGED_AT, KNOWLEDGE_KINDS } from '@signalbox/contracts/knowledge'

export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number]
export type JudgedAt = (typeof JUDGED_AT)[number]

/** The part of an item that is judged. */
export interface RuleContent {
  /** Glob over `<team path>/<environment>`; it matches nothing outside of the item's team. */
  readonly scope: string
  /** CEL that must be true; null: a reference. */
  readonly rule: string | null
  /** Null: every place where the names of the rule are known. */
  readonly judgedAt: JudgedAt | null
  readonly timeZone: string
  /** Null: a reference. */
  readonly message: string | null
}

export interface ItemContent extends RuleContent {
  readonly text: string
}

/** The part of an item that never changes. `teamPath` '/' is the platform. */
export interface ItemPlace {
  readonly teamPath: string
  readonly name: string
  readonly kind: KnowledgeKind
}

/** An item as its current revision has it, without the text. */
export interface ItemHead extends ItemPlace, RuleContent {
  readonly id: string
  readonly revision: number
  readonly revisionId: string
  readonly savedBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Item extends ItemHead {
  readonly text: string
}

/** An item as one save left it. */
export interface RevisionHead extends ItemPlace, RuleContent {
  readonly id: string
  readonly itemId: string
  readonly revision: number
  readonly savedBy: string
  readonly savedAt: Date
}

export interface Revision extends RevisionHead {
  readonly text: string
}

export const PLATFORM = '/'

/** `acme/web/pinned-images`; `/pinned-images` of the platform. */
export function identifierOf({ teamPath, name }: Pick<ItemPlace, 'teamPath' | 'name'>): string {
  return teamPath === PLATFORM ? `/${name}` : `${teamPath}/${name}`
}

/** The parts of an identifier; undefined for a text of another form. */
export function splitIdentifier(identifier: string): { readonly teamPath: string; readonly name: string } | undefined {
  const slash = identifier.lastIndexOf('/')
  if (slash < 0) return undefined
  return { teamPath: slash === 0 ? PLATFORM : identifier.slice(0, slash), name: identifier.slice(slash + 1) }
}

/** `acme/web` -> acme/web, acme, '/': the team itself first. */
export function lineOf(teamPath: string): readonly string[] {
  if (teamPath === PLATFORM) return [PLATFORM]
  const line = [teamPath]
  for (let slash = teamPath.lastIndexOf('/'); slash > 0; slash = teamPath.lastIndexOf('/', slash - 1)) {
    line.push(teamPath.slice(0, slash))
  }
  return [...line, PLATFORM]
}
