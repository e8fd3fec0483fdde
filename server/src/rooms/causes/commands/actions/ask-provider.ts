import type { Event, Person } from '@signalbox/contracts/event'
import type {
  Forge,
  ForgeAnswer,
  ForgeComments,
  ForgeConnection,
  ForgePullRequest,
  ForgeRepositories,
} from '#adapters/forges'
import type { AppUse } from '#rooms/catalog/git-apps'
import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import type { StoredCommand } from '../store/index.ts'
import { CommandRefused, valueOf } from './refuse-command.ts'

/** The provider of a source as commands ask it, with the credential of the source. */
export interface Provider {
  readonly title: string
  readonly baseUrl: string
  findComment(): ReturnType<typeof findComment>
  /** Whether the person may write to the repository, at this moment. */
  mayWrite(person: Person): Promise<boolean>
  findPullRequest(): Promise<ForgePullRequest>
}

interface Reach {
  readonly means: Means
  readonly source: CommandedSource
  readonly row: StoredCommand
  readonly event: Event
  readonly signal: AbortSignal
}

/** Throws CommandRefused where this provider cannot be asked for what commands need. */
export function reachProvider({ means, source, row, event, signal }: Reach): Provider {
  const forge = means.forges.find(source.provider)
  const { baseUrl, checkoutCredentialRef: ref, teamPath } = source
  const cannot = (reason: string) => new CommandRefused('not_possible', reason)
  if (!forge) throw cannot('The provider of the source is not known.')
  if (baseUrl === undefined) throw cannot('The address of the provider may not be called.')
  if (ref === null) throw cannot('The source has no checkout_credential_ref by which the provider could be asked.')
  const cloneUrl = event.repository.clone_url
  if (cloneUrl !== null && !source.owns(cloneUrl)) {
    throw cannot('The repository does not lie at the provider of the source.')
  }
  const { comments, repositories } = partsOf(forge)
  const findPermission = repositories.findPermission
  if (!findPermission) throw cannot(`${forge.title} has no API that tells who may write to a repository.`)
  const { repository } = row
  const place = { repository, number: row.pullRequest }
  const ask = async <T>(
    uses: readonly AppUse[],
    work: (connection: ForgeConnection) => Promise<ForgeAnswer<T>>,
  ): Promise<T | undefined> => {
    const wish = { ref, teamPath, repository, uses, baseUrl }
    return valueOf(await means.gitApps.call(wish, signal, (token) => work({ baseUrl, token, signal })))
  }
  return {
    title: forge.title,
    baseUrl,
    findComment: () => findComment(ask, comments, place, row.commentId),
    async mayWrite(person) {
      const found = await ask(['permission'], (connection) => findPermission(connection, repository, person))
      return found?.mayWrite === true
    },
    async findPullRequest() {
      const found = await ask(['pull_requests'], (connection) =>
        repositories.findPullRequest(connection, repository, row.pullRequest),
      )
      if (found) return found
      throw new CommandRefused('not_possible', 'The provider does not show the pull request to the source.')
    },
  }
}

type Ask = <T>(
  uses: readonly AppUse[],
  work: (connection: ForgeConnection) => Promise<ForgeAnswer<T>>,
) => Promise<T | undefined>

/** Undefined: somebody deleted it. */
function findComment(
  ask: Ask,
  comments: ForgeComments,
  place: { readonly repository: string; readonly number: number },
  commentId: string,
) {
  return ask(['comments'], (connection) => comments.find(connection, place, commentId))
}

function partsOf({ title, comments, repositories }: Forge): {
  readonly comments: ForgeComments
  readonly repositories: ForgeRepositories
} {
  if (comments && repositories) return { comments, repositories }
  throw new CommandRefused('not_possible', `${title} cannot be asked for comments of pull requests.`)
}
