import type { OtherNames } from '#rooms/causes/triggers'

/** A name by which the deliveries of a source told of a repository. */
export interface RepositoryName {
  readonly sourceId: string
  readonly name: string
  /** The provider's. */
  readonly repositoryId: string
  /** Two repositories had it: it says nothing about either of them. */
  readonly contested: boolean
  readonly since: Date
  /** Later changes have higher ones. */
  readonly revision: number
}

export type LearntName = Omit<RepositoryName, 'revision' | 'contested'>

/** The statement of a delivery about the name of its repository. */
export interface Naming {
  /** Undefined: the repository has no other name. */
  readonly otherNames: OtherNames | undefined
  /** Whether the name is to be stored. */
  readonly isNews: boolean
}

/** A source of that many repositories learns no more: names are kept in memory. */
const MOST_NAMES = 20_000
/** The newest names: a repository is renamed less often than that. */
const MOST_OTHERS = 5
/** A delivery under an older name that comes so soon was only late. */
const LATE_MS = 600_000

const NOTHING: Naming = { otherNames: undefined, isNews: false }

interface NamesOfSource {
  readonly byName: Map<string, RepositoryName>
  /** Oldest first; without contested names. */
  readonly byId: Map<string, readonly RepositoryName[]>
}

/** The names of all sources. Forged names in one source confuse that source alone. */
export class RepositoryNames {
  readonly #sources = new Map<string, NamesOfSource>()

  /** Takes in a name that was stored, in whichever order they come. */
  put(row: RepositoryName): void {
    const names: NamesOfSource = this.#sources.get(row.sourceId) ?? { byName: new Map(), byId: new Map() }
    this.#sources.set(row.sourceId, names)
    const key = row.name.toLowerCase()
    const before = names.byName.get(key)
    if (before && before.revision >= row.revision) return
    names.byName.set(key, row)
    if (before) {
      const left = (names.byId.get(before.repositoryId) ?? []).filter((name) => name !== before)
      names.byId.set(before.repositoryId, left)
    }
    if (row.contested) return
    const own = [...(names.byId.get(row.repositoryId) ?? []), row]
    names.byId.set(
      row.repositoryId,
      own.toSorted((one, other) => one.revision - other.revision),
    )
  }

  /** The meaning of the repository's name in a delivery of the source, received at that instant. */
  look(sourceId: string, repository: { readonly id: string | null; readonly full_name: string }, at: Date): Naming {
    const { id, full_name: fullName } = repository
    if (id === null || id === '') return NOTHING
    const names = this.#sources.get(sourceId)
    const held = names?.byName.get(fullName.toLowerCase())
    const own = names?.byId.get(id) ?? []
    const newest = own.at(-1)
    if (held !== undefined && held === newest && own.length === 1) return NOTHING
    const isLate = newest !== undefined && held?.repositoryId === id && at.getTime() - newest.since.getTime() < LATE_MS
    const others = own.filter((name) => name !== held).map(({ name }) => name)
    return {
      otherNames:
        others.length === 0
          ? undefined
          : { current: isLate ? newest.name : fullName, others: others.toReversed().slice(0, MOST_OTHERS) },
      isNews:
        held === undefined ? (names?.byName.size ?? 0) < MOST_NAMES : isNewsOf(held, id, held === newest || isLate),
    }
  }

  /** The repositories of a source that were renamed, each with the names that it had before. */
  listRenamed(
    sourceId: string,
  ): readonly { readonly current: RepositoryName; readonly former: readonly RepositoryName[] }[] {
    const all = this.#sources.get(sourceId)?.byId.values() ?? []
    return [...all].flatMap((own) => {
      const current = own.at(-1)
      return current && own.length > 1 ? [{ current, former: own.slice(0, -1).toReversed().slice(0, MOST_OTHERS) }] : []
    })
  }
}

/** A repository with a name that another one had makes the name contested for good. */
function isNewsOf(held: RepositoryName, id: string, isSettled: boolean): boolean {
  if (held.contested) return false
  return held.repositoryId !== id || !isSettled
}

/** The names of a group of deliveries as they are stored at once: each once, the last one last. */
export function uniteNames(names: readonly LearntName[]): readonly (LearntName & { readonly contested: boolean })[] {
  const united = new Map<string, LearntName & { readonly contested: boolean }>()
  for (const name of names) {
    const key = `${name.sourceId} ${name.name.toLowerCase()}`
    const before = united.get(key)
    const contested = before !== undefined && (before.contested || before.repositoryId !== name.repositoryId)
    united.delete(key)
    united.set(key, { ...name, contested })
  }
  return [...united.values()]
}

/** Why a delivery about a repository outside of the allowlist is refused, and what to change where it was renamed. */
export function describeOutside(fullName: string, formerName: string | undefined): string {
  const refused = `The repository ${fullName} is not in the allowlist of the source.`
  if (formerName === undefined) return refused
  return `${refused} It was ${formerName} before, which is: where it is still meant, add ${fullName} to repository_allowlist.`
}
