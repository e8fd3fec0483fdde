import { type BrokenTrigger, type CompiledTrigger, compileTrigger } from './compile-trigger.ts'
import { foldName } from './fold-name.ts'
import type { Trigger } from './trigger.ts'

/** Triggers by the repositories that they can be about. */
export interface TriggerIndex {
  readonly size: number
  readonly broken: readonly BrokenTrigger[]
  /**
   * The triggers that name this repository, oldest first. The cost does not grow with triggers that name other
   * repositories, nor with patterns below other owners; only patterns without a literal owner are always looked at.
   */
  find(repository: string): readonly CompiledTrigger[]
}

interface Buckets {
  readonly byName: Map<string, CompiledTrigger[]>
  readonly byOwner: Map<string, CompiledTrigger[]>
  readonly everywhere: CompiledTrigger[]
}

const PLAIN = /^[A-Za-z0-9_.~ -]+(?:\/[A-Za-z0-9_.~ -]+)+$/
const PLAIN_OWNER = /^([A-Za-z0-9_.~ -]+)\//

/** `triggers` oldest first. */
export function buildTriggerIndex(triggers: readonly Trigger[]): TriggerIndex {
  const buckets: Buckets = { byName: new Map(), byOwner: new Map(), everywhere: [] }
  const broken: BrokenTrigger[] = []
  for (const trigger of triggers) {
    const result = compileTrigger(trigger)
    if (result.ok) place(buckets, result.compiled)
    else broken.push(result.broken)
  }
  return {
    size: triggers.length,
    broken,
    find(repository) {
      const name = foldName(repository)
      const owner = name.slice(0, name.indexOf('/'))
      const found = new Set([
        ...(buckets.byName.get(name) ?? []),
        ...(buckets.byOwner.get(owner) ?? []),
        ...buckets.everywhere,
      ])
      return [...found]
        .filter((compiled) => compiled.repositories.matches(repository))
        .sort((a, b) => (a.trigger.id < b.trigger.id ? -1 : 1))
    },
  }
}

function place(buckets: Buckets, compiled: CompiledTrigger): void {
  const takesIn = compiled.trigger.repositories.filter((pattern) => !pattern.startsWith('!'))
  const owners = takesIn.map((pattern) => PLAIN_OWNER.exec(pattern)?.[1])
  if (owners.includes(undefined)) {
    buckets.everywhere.push(compiled)
    return
  }
  for (const pattern of new Set(takesIn)) {
    if (PLAIN.test(pattern)) add(buckets.byName, foldName(pattern), compiled)
    else add(buckets.byOwner, foldName(PLAIN_OWNER.exec(pattern)?.[1] ?? ''), compiled)
  }
}

function add(map: Map<string, CompiledTrigger[]>, key: string, compiled: CompiledTrigger): void {
  const list = map.get(key)
  if (list) list.push(compiled)
  else map.set(key, [compiled])
}
