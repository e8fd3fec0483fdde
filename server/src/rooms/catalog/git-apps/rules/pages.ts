import type { FoundRepository, KnownPage } from '#adapters/forges'

/** A page of the list of repositories, as it is kept: the repositories themselves are rows. */
export interface KeptPage {
  readonly path: string
  readonly etag: string
  readonly ids: readonly string[]
}

export function keepPages(pages: readonly KnownPage[]): KeptPage[] {
  return pages.map(({ path, etag, repositories }) => ({ path, etag, ids: repositories.map(({ id }) => id) }))
}

/** The pages that can be named to the provider: a page of which a repository left since is asked for anew. */
export function recallPages(pages: readonly KeptPage[], known: ReadonlyMap<string, FoundRepository>): KnownPage[] {
  return pages.flatMap(({ path, etag, ids }) => {
    const repositories = ids.flatMap((id) => known.get(id) ?? [])
    return repositories.length === ids.length ? [{ path, etag, repositories }] : []
  })
}
