/** A page of a list as it was last time. */
export interface RememberedPage<T> {
  readonly etag: string
  readonly items: readonly T[]
  /** The path of the page after it; undefined: it was the last one. */
  readonly next: string | undefined
}

/** The pages of one list by their paths, for one credential. Whether they still are so, the provider is asked each time. */
export interface PageMemory<T> {
  find(path: string): RememberedPage<T> | undefined
  keep(path: string, page: RememberedPage<T>): void
}

export interface RememberedList<T> {
  readonly memory: PageMemory<T> | undefined
  /**
   * The fewest items of a full page. A last page that is full is not remembered: an unchanged one would hide a page that
   * came after it.
   */
  readonly size: number
}
