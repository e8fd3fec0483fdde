import type { ForgeBranch, PageMemory, RememberedPage } from '#adapters/forges'

/** Whose list of branches it is: another credential may see others. */
export interface BranchList {
  readonly sourceId: string
  readonly ref: string | null
  readonly baseUrl: string
  readonly repository: string
}

/** The lists of branches that this process asked for, so that an unchanged page costs a provider nothing. */
export interface BranchMemory {
  of(list: BranchList): PageMemory<ForgeBranch>
  /** The number of branches that are kept. */
  readonly size: number
}

/** A hundred bytes each. */
const MAX_BRANCHES = 50_000

/** The list that was asked for longest ago goes first. */
export function createBranchMemory(maxBranches = MAX_BRANCHES): BranchMemory {
  const lists = new Map<string, Map<string, RememberedPage<ForgeBranch>>>()
  let size = 0

  function forget(key: string): void {
    for (const { items } of lists.get(key)?.values() ?? []) size -= items.length
    lists.delete(key)
  }

  return {
    of({ sourceId, ref, baseUrl, repository }) {
      const key = JSON.stringify([sourceId, ref, baseUrl, repository.toLowerCase()])
      const pages = lists.get(key)
      if (pages) {
        lists.delete(key)
        lists.set(key, pages)
      }
      return {
        find: (path) => lists.get(key)?.get(path),
        keep(path, page) {
          const own = lists.get(key) ?? new Map<string, RememberedPage<ForgeBranch>>()
          size += page.items.length - (own.get(path)?.items.length ?? 0)
          own.set(path, page)
          lists.delete(key)
          lists.set(key, own)
          for (const other of lists.keys()) {
            if (size <= maxBranches) return
            forget(other)
          }
        },
      }
    },
    get size() {
      return size
    },
  }
}
