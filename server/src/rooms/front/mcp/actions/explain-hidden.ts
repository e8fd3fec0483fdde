import type { HiddenTools, HiddenWhy } from '@signalbox/contracts/mcp'
import type { Caller } from '#platform/http'
import { isForKind, isUsable, type Tool } from '#platform/tools'

/**
 * Why the caller is not offered a tool; undefined where it is offered. Whatever cannot be known leaves a tool out. Tools that
 * confirm hang on others: see `offersConfirming`.
 */
export function findRefusal(tool: Tool, caller: Caller, families: ReadonlySet<string>): HiddenWhy | undefined {
  const limits = caller.token?.limits
  if (!families.has(tool.family)) return 'family_off'
  if (limits?.families?.includes(tool.family) === false) return 'token_families'
  if (limits?.isReadOnly === true && tool.does !== 'read') return 'token_reads_only'
  if (!isForKind(tool, caller)) return 'other_kind'
  return isUsable(tool, caller) ? undefined : 'no_permission'
}

/** Whose list it is, and what may be told of it. */
export interface HiddenFrom {
  readonly seer: Caller
  /** The seer without the limits of its token, where whoever asks may know what the owner may. */
  readonly owner: Caller | undefined
  readonly families: ReadonlySet<string>
}

/** The tools that are not among those offered, by what hides them. */
export function listHidden(tools: readonly Tool[], offered: ReadonlySet<Tool>, from: HiddenFrom): HiddenTools[] {
  const hidden = tools.filter((tool) => !offered.has(tool))
  return [...Map.groupBy(hidden, (tool) => whyHidden(tool, from))].map(([why, own]) => ({
    why,
    sentence: SENTENCES[why],
    tools: own.map(({ name }) => name),
  }))
}

function whyHidden(tool: Tool, { seer, owner, families }: HiddenFrom): HiddenWhy {
  const refusal = tool.does === 'confirm' ? undefined : findRefusal(tool, seer, families)
  if (refusal === undefined) return 'no_plans'
  const isOfLimits = refusal === 'no_permission' && owner && findRefusal(tool, owner, families) === undefined
  return isOfLimits ? 'token_limits' : refusal
}

const SENTENCES: Readonly<Record<HiddenWhy, string>> = {
  family_off: 'The configuration leaves their family out, for everybody (mcp_families).',
  token_families: 'The token is limited to other families.',
  token_reads_only: 'The token only reads, and these plan writes.',
  token_limits: 'The owner of the token may use them. The limits of the token leave out a permission, or all teams.',
  no_permission: 'They need permissions that are not held together at any team.',
  other_kind: 'They are for service accounts alone, such as those that a step names.',
  no_plans: 'No tool that plans a write is offered, so there is nothing to confirm.',
}
