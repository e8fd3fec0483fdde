import { type CallBase, callForge, type ForgeReply, walkPages } from './api-client.ts'
import type { FoundRepository, KnownPage, RepositoryList } from './app-port.ts'
import { isFullName, readBareRef } from './git-names.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { id, name } from './payload-fields.ts'
import type { ForgeAnswer, ForgeConnection } from './port.ts'

/** 100,000 repositories of 100 a page: GitHub lets no account have more. */
const MOST_PAGES = 1_000

/** A list of repositories whose pages have numbers. */
export interface RepositoryPages {
  readonly call: CallBase
  /** Of the page of this number. */
  path(number: number): string
  /** How many repositories a full page has. */
  readonly size: number
  readonly known: readonly KnownPage[]
  /** The items of a page; undefined: the body is no such list. */
  readItems(body: unknown): readonly unknown[] | undefined
  readRepository(item: JsonObject): FoundRepository | undefined
  /** Undefined: the reply does not say. */
  hasNext(reply: ForgeReply): boolean | undefined
}

/**
 * All pages, by their numbers: a provider says that there is a further page, and never where. A page that did not change
 * since last time is taken from `known`. A repository that moves to the next page meanwhile counts once.
 */
export async function listRepositoryPages(
  connection: ForgeConnection,
  list: RepositoryPages,
): Promise<ForgeAnswer<RepositoryList>> {
  const known = new Map(list.known.map((page) => [page.path, page]))
  const pages: KnownPage[] = []
  let calls = 0
  const walked = await walkPages<FoundRepository>({
    first: list.path(1),
    ask(path) {
      calls += 1
      return callForge(connection, { ...list.call, path, etag: known.get(path)?.etag })
    },
    read({ status, headers, body }, path) {
      const before = known.get(path)
      const repositories = status === 304 ? before?.repositories : readRepositories(list, body)
      const etag = headers.get('etag') ?? (status === 304 ? (before?.etag ?? null) : null)
      if (repositories !== undefined && etag !== null) pages.push({ path, etag, repositories })
      return repositories
    },
    next(reply, { number, items }) {
      const told = list.hasNext(reply)
      const further = list.path(number + 1)
      // An unchanged page may come without the headers that tell of a next one.
      const guessed = reply.status === 304 && (known.has(further) || items.length >= list.size)
      return (told ?? guessed) ? further : undefined
    },
    most: { pages: MOST_PAGES, beyond: 'fails' },
  })
  if (walked.outcome !== 'found') return walked
  const repositories = [...new Map(walked.value.map((repository) => [repository.id, repository])).values()]
  return { outcome: 'found', value: { repositories, pages, calls } }
}

function readRepositories(list: RepositoryPages, body: unknown): readonly FoundRepository[] | undefined {
  const items = list.readItems(body)
  return items?.filter(isObject).flatMap((item) => list.readRepository(item) ?? [])
}

/** As GitHub, Gitea and Forgejo describe a repository. One that does not say that it is public counts as private. */
export function describeRepository(repository: JsonObject): FoundRepository | undefined {
  const [repositoryId, fullName] = [id(repository, 'id'), name(repository, 'full_name')]
  if (repositoryId === null || fullName === null || !isFullName(fullName)) return undefined
  return {
    id: repositoryId,
    fullName,
    private: repository['private'] !== false,
    defaultBranch: readBareRef(repository['default_branch'], 'heads'),
  }
}

/** Whether the Link header names a next page; undefined where there is none at all. */
export function hasNextLink({ status, headers }: ForgeReply): boolean | undefined {
  const link = headers.get('link')
  if (link === null) return status === 304 ? undefined : false
  return /;\s*rel="?next"?/.test(link)
}
