import { readTexts } from '../../shell/search-texts.ts'

/** What is asked of a push, as it stands in the address: a repository and one of its changes. */
export interface WhyAddress {
  readonly repository?: string
  readonly commit?: string
  readonly ref?: string
  readonly tag?: string
  /** The number of a pull request. */
  readonly pull?: string
  /** The id of a delivery, ours or the provider's. */
  readonly delivery?: string
}

const NAMES = ['repository', 'commit', 'ref', 'tag', 'pull', 'delivery'] as const

/** Reads the address. A commit or a number that somebody typed there was read as a number. */
export function readWhyAddress(search: Readonly<Record<string, unknown>>): WhyAddress {
  const texts = Object.entries(search).map(([name, value]) => [name, Number.isSafeInteger(value) ? `${value}` : value])
  return readTexts(Object.fromEntries(texts), NAMES)
}

/** The query of the question; undefined: nothing is asked yet. */
export function pushQueryOf({ repository, commit, ref, tag, pull, delivery }: WhyAddress) {
  if (delivery !== undefined) return { delivery_id: delivery }
  if (repository === undefined) return undefined
  const number = Number(pull)
  return {
    repository,
    ...(commit === undefined ? {} : { commit_sha: commit }),
    ...(ref === undefined ? {} : { ref }),
    ...(tag === undefined ? {} : { tag }),
    ...(pull !== undefined && Number.isInteger(number) && number > 0 ? { pull_request: number } : {}),
  }
}
