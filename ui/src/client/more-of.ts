interface PagedQuery {
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  refetch(): Promise<unknown>
  fetchNextPage(): Promise<unknown>
}

/** How a list shows the failure of a query of pages, and goes on to the next page: props of `DataList`. */
export function moreOf(query: PagedQuery) {
  return {
    error: query.error,
    onRetry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    onMore: () => void query.fetchNextPage(),
  }
}
