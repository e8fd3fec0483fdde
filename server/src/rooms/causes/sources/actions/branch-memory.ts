import { LRUCache } from 'lru-cache'
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
  /** What is kept: one for each page, and one for each branch. */
  readonly size: number
}

/** A hundred bytes each. */
const MAX_SIZE = 50_000

/** The page that was asked for longest ago goes first. */
export function createBranchMemory(maxSize = MAX_SIZE): BranchMemory {
  const pages = new LRUCache<string, RememberedPage<ForgeBranch>>({
    maxSize,
    // An empty page takes its place as well.
    sizeCalculation: ({ items }) => 1 + items.length,
  })
  return {
    of({ sourceId, ref, baseUrl, repository }) {
      // Providers take a name in any case: its spellings share one place.
      const keyOf = (path: string): string =>
        JSON.stringify([sourceId, ref, baseUrl, repository.toLowerCase(), path.toLowerCase()])
      return {
        find: (path) => pages.get(keyOf(path)),
        keep: (path, page) => void pages.set(keyOf(path), page),
      }
    },
    get size() {
      return pages.calculatedSize
    },
  }
}
