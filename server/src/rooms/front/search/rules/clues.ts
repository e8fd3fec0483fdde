import type { Clue } from '#platform/room'

/** What somebody typed or pasted: the words that names are compared with, and what else it may mean. */
export interface Reading {
  readonly text: string | undefined
  readonly clues: readonly Clue[]
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const COMMIT = /^[0-9a-f]{7,64}$/i
const REPOSITORY = /^[\w.-]+(?:\/[\w.-]+){1,5}$/
const PULL_REQUEST = /^(?<repository>[\w.-]+(?:\/[\w.-]+){1,5})[#!](?<number>\d{1,9})$/
const OF_REPOSITORY = /^(?<repository>[\w.-]+(?:\/[\w.-]+){1,5})@(?<branch>[^\s~^:?*[\\]{1,500})$/
const BRANCH = /^(?:refs\/heads\/)?(?<branch>[^\s~^:?*[\\]{1,500})$/
/** Of an address that nests them: a delivery is below its source. */
const MOST_IDS = 3

/** Reads what a person or an agent pasted: the address of a page, of a route or of a provider, or a name of something. */
export function readTyped(typed: string): Reading {
  const text = typed.trim()
  if (/^(?:https?:\/\/|#\/|\/v1\/)/i.test(text)) return readAddress(text)
  return readName(text)
}

function readName(text: string): Reading {
  if (UUID.test(text)) return { text, clues: [{ kind: 'id', id: text.toLowerCase() }] }
  const pullRequest = PULL_REQUEST.exec(text)?.groups
  if (pullRequest) return { text: undefined, clues: [pullRequestOf(pullRequest)] }
  const inRepository = OF_REPOSITORY.exec(text)?.groups
  if (inRepository) {
    const { branch = '', repository } = inRepository
    return { text: undefined, clues: [{ kind: 'branch', branch, repository }] }
  }
  const clues: Clue[] = []
  if (COMMIT.test(text)) clues.push({ kind: 'commit', commit: text.toLowerCase() })
  if (REPOSITORY.test(text)) clues.push({ kind: 'repository', repository: text })
  const branch = BRANCH.exec(text)?.groups?.['branch']
  if (branch !== undefined) clues.push({ kind: 'branch', branch, repository: undefined })
  return { text, clues }
}

function readAddress(address: string): Reading {
  if (!URL.canParse(address, 'http://localhost')) return { text: address, clues: [] }
  const { pathname, hash } = new URL(address, 'http://localhost')
  const isPage = hash.startsWith('#/')
  const isOurs = isPage || pathname.startsWith('/v1/')
  const [path = ''] = (isPage ? hash.slice(1) : pathname).split('?')
  const parts = path.split('/').filter((part) => part !== '')
  const ids = parts.filter((part) => UUID.test(part)).map((id) => id.toLowerCase())
  // The last one is what the address shows; those before it say where that is.
  const [id] = ids.toReversed()
  if (id !== undefined) {
    return {
      text: id,
      clues: ids
        .toReversed()
        .slice(0, MOST_IDS)
        .map((each) => ({ kind: 'id', id: each })),
    }
  }
  const named = parts.map(decode)
  return isOurs ? readOwnAddress(named) : readProviderAddress(named)
}

/** `#/t/<team>/runs`, `#/overrides/<owner>/<name>`, `/v1/pipelines/<identifier>/versions`. */
function readOwnAddress(parts: readonly string[]): Reading {
  const names = parts[0] === 'v1' ? parts.slice(1) : parts
  const [collection, key, more] = names
  if (collection === 'overrides' && key !== undefined && more !== undefined) {
    return { text: undefined, clues: [{ kind: 'repository', repository: `${key}/${more}` }] }
  }
  return { text: key === '~' ? undefined : key, clues: [] }
}

/** `/<owner>/<name>/pull/12`, `/-/merge_requests/12`, `/commit/<digits>`, `/tree/<branch>`: GitHub, GitLab, Gitea, Bitbucket. */
function readProviderAddress(parts: readonly string[]): Reading {
  const at = parts.findIndex((part, place) => place >= 2 && BELOW_REPOSITORY.has(part))
  const repository = (at === -1 ? parts : parts.slice(0, at)).join('/').replace(/\.git$/, '')
  if (!REPOSITORY.test(repository)) return { text: undefined, clues: [] }
  const [kind, first, ...rest] = at === -1 ? [] : parts.slice(parts[at] === '-' ? at + 1 : at)
  const clue = first === undefined ? undefined : clueOf(kind, repository, [first, ...rest])
  return { text: undefined, clues: [clue ?? { kind: 'repository', repository }] }
}

const BELOW_REPOSITORY: ReadonlySet<string> = new Set([
  '-',
  'pull',
  'pulls',
  'merge_requests',
  'pull-requests',
  'commit',
  'commits',
  'tree',
  'src',
  'branch',
])

function clueOf(
  kind: string | undefined,
  repository: string,
  [first = '', ...rest]: readonly string[],
): Clue | undefined {
  switch (kind) {
    case 'commit':
    case 'commits':
      return COMMIT.test(first) ? { kind: 'commit', commit: first.toLowerCase() } : undefined
    case 'tree':
    case 'branch':
      return { kind: 'branch', branch: [first, ...rest].join('/'), repository }
    case 'src':
      // Gitea: src/branch/<branch>; elsewhere a commit may stand there.
      return first === 'branch' && rest.length > 0 ? { kind: 'branch', branch: rest.join('/'), repository } : undefined
    default:
      return /^\d{1,9}$/.test(first) ? pullRequestOf({ repository, number: first }) : undefined
  }
}

function pullRequestOf({ repository = '', number }: Readonly<Record<string, string | undefined>>): Clue {
  return { kind: 'pull_request', repository, number: Number(number) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
