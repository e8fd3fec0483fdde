import type { Forge, ForgeAnswer, ForgePermission } from '#adapters/forges'
import type { Clock } from '#platform/time'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { PermissionQuestion, RepositoryAccess } from '#rooms/causes/events'
import { type Source, whyMembersUnasked, wishOf } from '../rules/index.ts'

/**
 * A person who lost a permission keeps it for no longer than this. A person who comments often costs one question in
 * this time.
 */
const REMEMBERED_MS = 60_000
const MAX_REMEMBERED = 1_000

interface Remembered {
  readonly answer: ForgeAnswer<ForgePermission>
  readonly until: number
}

/** The permissions that providers told, for a minute; after a failure, the provider is asked anew. */
export interface PermissionMemory {
  find(key: string, ask: () => Promise<ForgeAnswer<ForgePermission>>): Promise<ForgeAnswer<ForgePermission>>
}

export function createPermissionMemory(clock: Clock): PermissionMemory {
  const known = new Map<string, Remembered>()
  return {
    async find(key, ask) {
      const found = known.get(key)
      if (found && clock.monotonic() < found.until) return found.answer
      const answer = await ask()
      known.delete(key)
      if (answer.outcome === 'failed') return answer
      known.set(key, { answer, until: clock.monotonic() + REMEMBERED_MS })
      const [oldest] = known.keys()
      if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
      return answer
    },
  }
}

export interface AskedRepository {
  readonly source: Source
  readonly forge: Forge | undefined
  readonly baseUrl: string | undefined
  readonly repository: string
}

/** How the provider is asked what somebody may do in the repository, with the credential of the source. */
export function permissionQuestion(
  { permissions, gitApps }: { readonly permissions: PermissionMemory; readonly gitApps: Pick<GitApps, 'call'> },
  { source, forge, baseUrl, repository }: AskedRepository,
): RepositoryAccess['findPermission'] {
  const unasked = forge === undefined ? 'The provider is not known.' : whyMembersUnasked(source, forge)
  const find = forge?.repositories?.findPermission
  if (unasked !== undefined || !find || baseUrl === undefined) {
    return { unasked: unasked ?? 'The address of the provider may not be called.' }
  }
  const question: PermissionQuestion = (person, signal) => {
    // The source is written anew when its address or credential changes.
    const key = JSON.stringify([source.id, source.updatedAt, repository.toLowerCase(), person.id, person.login])
    const wish = wishOf(source, { baseUrl, repository, uses: ['permission'] })
    return permissions.find(key, () =>
      gitApps.call(wish, signal, (token) => find({ baseUrl, token, signal }, repository, person)),
    )
  }
  return question
}
