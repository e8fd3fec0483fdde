import type { Decision } from '@signalbox/pipeline/patterns'
import { type Compilation, type CompiledTrigger, compileTrigger } from './compile-trigger.ts'
import { foldName } from './fold-name.ts'
import { findOtherName } from './other-names.ts'
import type { Matchable } from './trigger.ts'

/** A trigger as the index holds it. */
export type IndexedTrigger = Matchable & { readonly id: string }

interface Entry {
  readonly trigger: IndexedTrigger
  /** Made when an event asks for it first: most triggers wait long for theirs. */
  compilation: Compilation | undefined
}

/** A name of many characters would need as many look-ups; behind so many all patterns are looked at. */
const MAX_PREFIX = 100

/** The most effort that one trigger's patterns may take for one name: many times what sensible patterns need. */
const MAX_PLACES = 50_000

/**
 * Triggers by the repositories that they can be about. One trigger is put in, replaced or taken out without touching the
 * others. The cost of `find` does not grow with triggers that name other repositories, nor with patterns whose literal
 * beginning the name does not have.
 */
export class TriggerIndex {
  readonly #entries = new Map<string, Entry>()
  readonly #byName = new Map<string, Entry[]>()
  /** By the part of a pattern before its first special character; its lengths are those that names are asked for. */
  readonly #byPrefix = new Map<string, Entry[]>()
  readonly #lengths = new Map<number, number>()
  readonly #onBroken: (trigger: IndexedTrigger, problem: string) => void

  /** `onBroken` is told once of each trigger that cannot be read any more; it matches nothing. */
  constructor(onBroken: (trigger: IndexedTrigger, problem: string) => void = () => undefined) {
    this.#onBroken = onBroken
  }

  get size(): number {
    return this.#entries.size
  }

  put(trigger: IndexedTrigger): void {
    this.remove(trigger.id)
    const entry: Entry = { trigger, compilation: undefined }
    this.#entries.set(trigger.id, entry)
    for (const key of keysOf(trigger)) {
      if (key.plain) add(this.#byName, key.text, entry)
      else if (add(this.#byPrefix, key.text, entry)) this.#count(key.text.length, 1)
    }
  }

  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.#entries.delete(id)
    for (const key of keysOf(entry.trigger)) {
      if (key.plain) drop(this.#byName, key.text, entry)
      else if (drop(this.#byPrefix, key.text, entry)) this.#count(key.text.length, -1)
    }
  }

  /**
   * Every trigger, with its list of repositories, which is made ready when it is asked. The list of a broken trigger matches
   * every name.
   */
  *lists(): Iterable<{ readonly trigger: IndexedTrigger; readonly decide: (repository: string) => Decision }> {
    for (const entry of this.#entries.values()) {
      const decide = (repository: string): Decision =>
        this.#compile(entry)?.repositories?.decide(repository, { left: MAX_PLACES }) ?? UNREADABLE
      yield { trigger: entry.trigger, decide }
    }
  }

  /** The triggers that name the repository by exactly this name. */
  listNaming(repository: string): readonly IndexedTrigger[] {
    return (this.#byName.get(foldName(repository)) ?? []).map(({ trigger }) => trigger)
  }

  /**
   * The triggers that are about this repository, also by one of its other names, oldest first; of those in `only`, where
   * it is given.
   */
  find(repository: string, only?: ReadonlySet<string>, others: readonly string[] = []): readonly CompiledTrigger[] {
    const name = foldName(repository)
    const found = new Set(this.#byName.get(name))
    for (const length of this.#lengths.keys()) {
      if (length > name.length) continue
      for (const entry of this.#byPrefix.get(name.slice(0, length)) ?? []) found.add(entry)
    }
    for (const other of others) for (const entry of this.#byName.get(foldName(other)) ?? []) found.add(entry)
    const fitting: { readonly id: string; readonly compiled: CompiledTrigger }[] = []
    for (const entry of found) {
      const { id } = entry.trigger
      if (only && !only.has(id)) continue
      const compiled = this.#compile(entry)
      if (compiled && isAbout(compiled, repository, others)) fitting.push({ id, compiled })
    }
    return fitting.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ compiled }) => compiled)
  }

  #compile(entry: Entry): CompiledTrigger | undefined {
    if (!entry.compilation) {
      entry.compilation = compileTrigger(entry.trigger)
      if (!entry.compilation.ok) this.#onBroken(entry.trigger, entry.compilation.problem)
    }
    return entry.compilation.ok ? entry.compilation.compiled : undefined
  }

  #count(length: number, by: 1 | -1): void {
    const count = (this.#lengths.get(length) ?? 0) + by
    if (count === 0) this.#lengths.delete(length)
    else this.#lengths.set(length, count)
  }
}

const UNREADABLE: Decision = { matched: true, decidedBy: null }

function isAbout(compiled: CompiledTrigger, repository: string, others: readonly string[]): boolean {
  const effort = { left: MAX_PLACES }
  if (compiled.repositories?.matches(repository, effort)) return true
  return others.length > 0 && findOtherName(compiled, repository, others, effort) !== undefined
}

/** Where a pattern stops being a name. */
export const SPECIAL = /[*?[\]{}\\]/

/** Where a trigger is looked for: exclusions only take out of what another pattern takes in. */
function keysOf(trigger: IndexedTrigger): Iterable<{ readonly plain: boolean; readonly text: string }> {
  const keys = new Map<string, { readonly plain: boolean; readonly text: string }>()
  for (const pattern of trigger.repositories) {
    if (pattern.startsWith('!')) continue
    const special = pattern.search(SPECIAL)
    const text = foldName(special === -1 ? pattern : pattern.slice(0, Math.min(special, MAX_PREFIX)))
    const plain = special === -1
    keys.set(`${plain} ${text}`, { plain, text })
  }
  return keys.values()
}

/** Whether it is the first of its key. */
function add(map: Map<string, Entry[]>, key: string, entry: Entry): boolean {
  const list = map.get(key)
  if (list) list.push(entry)
  else map.set(key, [entry])
  return !list
}

/** Whether it was the last of its key. */
function drop(map: Map<string, Entry[]>, key: string, entry: Entry): boolean {
  const list = map.get(key)
  const at = list?.indexOf(entry) ?? -1
  if (!list || at === -1) return false
  // Order does not matter: what is found is put in order by id.
  const last = list.pop()
  if (last && last !== entry) list[at] = last
  if (list.length > 0) return false
  map.delete(key)
  return true
}
