import { LAYERS, type ManifestTrace } from '@signalbox/contracts/events'
import type { OverrideResolution, ResolvedRun } from '@signalbox/contracts/overrides'

/** The runs that an event would start through one source. */
export interface ResolvedThrough {
  readonly manifest: ManifestTrace | null
  /** The override that applies comes first, then the others with the reason why they do not apply. */
  readonly overrides: readonly ResolvedRun[]
  /** Whether the override decides alone: an override that does not apply to the source only says so. */
  readonly outranks: boolean
  /** Of the layers below. */
  readonly rules: readonly ResolvedRun[]
}

/** The state that says most comes first. */
const STATES: readonly ManifestTrace['state'][] = ['read', 'invalid', 'absent', 'pending', 'unreadable']

/** Each source tells of an event, and one change starts one run of each rule: what would start through any of them. */
export function uniteResolutions(
  parts: readonly ResolvedThrough[],
): Pick<OverrideResolution, 'layer' | 'runs' | 'losers' | 'manifest'> {
  const runs = unite(parts.flatMap(({ overrides, outranks, rules }) => [...overrides, ...(outranks ? [] : rules)]))
  const started = new Set(runs.map(keyOf))
  const outranked = unite(parts.flatMap(({ outranks, rules }) => (outranks ? rules : [])))
  const losers = outranked.filter((rule) => !started.has(keyOf(rule))).map((rule) => ({ ...rule, would_start: false }))
  const decided = runs.find((rule) => rule.would_start)?.layer ?? null
  const layer = parts.some(({ outranks }) => outranks) ? 'override' : decided
  const [manifest = null] = parts
    .flatMap((part) => part.manifest ?? [])
    .toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state))
  return { layer, runs, losers, manifest }
}

/** The rules by layer; of a rule that occurs more than once, the occurrence that would start. */
function unite(rules: readonly ResolvedRun[]): ResolvedRun[] {
  const united = new Map<string, ResolvedRun>()
  for (const rule of rules) {
    const key = keyOf(rule)
    const known = united.get(key)
    if (!known || (rule.would_start && !known.would_start)) united.set(key, rule)
  }
  return [...united.values()].toSorted((one, other) => LAYERS.indexOf(one.layer) - LAYERS.indexOf(other.layer))
}

/** An entry of a manifest has no id. */
function keyOf({ layer, trigger_id: id, name, pipeline, scope }: ResolvedRun): string {
  return JSON.stringify([layer, id ?? [name, pipeline, scope]])
}
