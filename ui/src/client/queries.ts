import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import {
  infiniteQueryOptions,
  type Query,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type Answer, type ArgumentsOf, exchange, follow, type Parts } from './call.ts'
import { connection } from './connection.ts'
import { ApiProblem, isPassing } from './problem.ts'
import { write } from './write.ts'

/** Data older than this is read again when a page is opened; live events make it old at once. */
const FRESH_MS = 10_000
const KEPT_MS = 10 * 60_000
/** The page is back within 5 s after the control plane is, the answers that it then asks for included. */
const LONGEST_PAUSE_MS = 2500

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        retry: (failures, error) => isPassing(error) && failures < 20,
        retryDelay: (failures) => Math.min(250 * 2 ** failures, LONGEST_PAUSE_MS),
        // The page notices by itself that the control plane is back; the browser's opinion of the network is no help.
        networkMode: 'always',
        refetchOnReconnect: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  connection.onReturn(() => void client.invalidateQueries())
  return client
}

/** The key of everything that was read by one route: `invalidate` takes it. */
function keyOf(operation: Operation, parts: Parts = {}): readonly unknown[] {
  return [operation.path, parts.params ?? null, parts.query ?? null]
}

/** Options of `useQuery` for the body of a stated route: `useQuery(read(runRoutes.getRun, { params: { id } }))`. */
export function read<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>) {
  const parts: Parts = request ?? {}
  return queryOptions({
    queryKey: ['body', ...keyOf(operation, parts)],
    queryFn: async ({ signal }): Promise<SuccessOf<O>> => (await exchange(operation, { ...parts, signal })).body,
  })
}

/** Like `read`, with the ETag: for a form, which sends it back as If-Match. */
export function readDocument<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>) {
  const parts: Parts = request ?? {}
  return queryOptions({
    queryKey: ['document', ...keyOf(operation, parts)],
    queryFn: async ({ signal }): Promise<Answer<SuccessOf<O>>> => exchange(operation, { ...parts, signal }),
  })
}

/** Options of `useInfiniteQuery` for a list; `itemsOf` answers what was read so far. */
export function readPages<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>) {
  const parts: Parts = request ?? {}
  return infiniteQueryOptions({
    queryKey: ['pages', ...keyOf(operation, parts)],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<Answer<SuccessOf<O>>> =>
      pageParam === '' ? exchange(operation, { ...parts, signal }) : follow(operation, pageParam, signal),
    getNextPageParam: (last) => last.next,
  })
}

/** Somebody who offers more to choose from has a field to type in. */
const MOST_PAGES = 40

/**
 * Options of `useQuery` for a list that is read to its end, such as what a field offers to choose from: at most 40 pages.
 * `itemsOf` answers it.
 */
export function readAll<O extends Operation>(operation: O, ...[request]: ArgumentsOf<O>) {
  const parts: Parts = request ?? {}
  return queryOptions({
    queryKey: ['all', ...keyOf(operation, parts)],
    queryFn: async ({ signal }): Promise<{ readonly pages: readonly Answer<SuccessOf<O>>[] }> => {
      const pages = [await exchange(operation, { ...parts, signal })]
      for (let next = pages[0]?.next; next !== undefined && pages.length < MOST_PAGES; next = pages.at(-1)?.next) {
        pages.push(await follow(operation, next, signal))
      }
      return { pages }
    },
  })
}

/**
 * Begins what a page reads first, while the code of the page is loaded: a route's `loader` answers it, and the page gives
 * its `useLoaderData()` to `useQuery`. What was read before is left to the page, which knows when it is old.
 */
export function readAhead<O extends Operation>(client: QueryClient, operation: O, ...request: ArgumentsOf<O>) {
  const options = read(operation, ...request)
  if (isUnread(client, options)) void client.prefetchQuery(options)
  return options
}

/** As `readAhead`, with the ETag. */
export function readDocumentAhead<O extends Operation>(client: QueryClient, operation: O, ...request: ArgumentsOf<O>) {
  const options = readDocument(operation, ...request)
  if (isUnread(client, options)) void client.prefetchQuery(options)
  return options
}

/** As `readAhead`, for a list. */
export function readPagesAhead<O extends Operation>(client: QueryClient, operation: O, ...request: ArgumentsOf<O>) {
  const options = readPages(operation, ...request)
  if (isUnread(client, options)) void client.prefetchInfiniteQuery(options)
  return options
}

function isUnread(client: QueryClient, { queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return client.getQueryState(queryKey)?.data === undefined
}

interface Pages<Item> {
  readonly pages: readonly Answer<readonly Item[]>[]
}

/** The items of all pages that were read. */
export function itemsOf<Item>(data: Pages<Item> | undefined): readonly Item[] {
  return data?.pages.flatMap(({ body }) => body) ?? []
}

/** Makes everything old that was read by these routes: what is on the page is read again. */
export async function invalidate(client: QueryClient, operations: readonly Operation[]): Promise<void> {
  const paths = new Set<unknown>(operations.map(({ path }) => path))
  const changed = { predicate: ({ queryKey }: Query) => paths.has(queryKey[1]) }
  // A first reading that is under way is not begun anew, and may not have seen the change: it is followed by a second one.
  const reading = client.getQueryCache().findAll({ ...changed, fetchStatus: 'fetching' })
  const first = reading.filter(({ state }) => state.status === 'pending')
  await client.invalidateQueries(changed)
  await Promise.all(first.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true })))
}

interface WriteOptions<O> {
  /** The routes whose answers the write changes. */
  readonly changes: readonly Operation[]
  /** The routes of what the person saw, read again where it was changed meanwhile; besides `changes`. */
  readonly shown?: readonly Operation[]
  readonly onDone?: (answer: SuccessOf<O>) => void
}

/**
 * A write of a stated route. Each has a key of its own, and keeps it until it was answered: to press again because no answer
 * came does it once. The page shows the result when the server has said it.
 */
export function useWrite<O extends Operation>(
  operation: O,
  { changes, shown = [], onDone }: WriteOptions<O>,
): UseMutationResult<SuccessOf<O>, Error, Parameters<typeof requestOf<O>>[0]> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (request) => (await write(operation, requestOf<O>(request))).body,
    onSuccess: async (answer) => {
      onDone?.(answer)
      await invalidate(client, changes)
    },
    // The newer version is shown beside one's own.
    onError: async (error) => {
      if (isConflict(error)) await invalidate(client, [...changes, ...shown])
    },
  })
}

/** Whether a write failed because the document was changed after the person began. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'version_conflict'
}

function requestOf<O>(request: NonNullable<ArgumentsOf<O>[0]>): Parts {
  return request
}
