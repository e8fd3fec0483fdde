import { useEffect } from 'react'

/** A link may name a record of long ago: so many pages are read in search of it. */
export const MOST_PAGES = 20

interface Pages<Item> {
  readonly data: { readonly pages: readonly { readonly body: readonly Item[] }[] } | undefined
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

interface Sought<Item> {
  readonly record: Item | undefined
  /** It may be in a page that is not read yet. */
  readonly isSought: boolean
}

/** The record of the address, if one of the pages has it, and whether a further page is worth reading. */
export function seek<Item extends { readonly id: string }>(
  id: string | undefined,
  { data, error, hasNextPage }: Pick<Pages<Item>, 'data' | 'error' | 'hasNextPage'>,
): Sought<Item> {
  if (id === undefined) return { record: undefined, isSought: false }
  const record = data?.pages.flatMap(({ body }) => body).find((each) => each.id === id)
  const isLeft = data === undefined || (hasNextPage && data.pages.length < MOST_PAGES)
  return { record, isSought: record === undefined && error === null && isLeft }
}

/** Looks for a record page by page, as the API has no address for one. */
export function useRecord<Item extends { readonly id: string }>(
  id: string | undefined,
  pages: Pages<Item>,
): Sought<Item> {
  const sought = seek(id, pages)
  const isNext = sought.isSought && pages.data !== undefined && !pages.isFetchingNextPage
  const { fetchNextPage } = pages
  useEffect(() => {
    if (isNext) void fetchNextPage()
  }, [isNext, fetchNextPage])
  return sought
}
