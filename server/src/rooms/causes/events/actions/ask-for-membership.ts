import type { Person } from '@signalbox/contracts/event'
import type { ForgeAnswer, ForgePermission } from '#adapters/forges'
import type { MatchContext, Membership } from '#rooms/causes/triggers'
import type { Means, RepositoryAccess, RepositoryRefusal } from '../means.ts'
import type { PendingEvent } from '../store/events.ts'
import { matchManifestOf, type ResolvedReading } from './plan-resolved.ts'

export interface AskedMembership {
  readonly membership: Membership | undefined
  /** Whether the provider may answer later. */
  readonly retry: boolean
}

export interface MembershipQuestion {
  readonly access: RepositoryAccess | RepositoryRefusal
  readonly read: ResolvedReading
}

const NOT_NEEDED: AskedMembership = { membership: undefined, retry: false }

/** Whether the author of a comment may write: asked only where a trigger or an entry of the manifest hangs on it alone. */
export async function askForMembership(
  means: Means,
  pending: PendingEvent,
  { access, read }: MembershipQuestion,
  signal: AbortSignal,
): Promise<AskedMembership> {
  const { event } = read
  const author = event.comment?.author ?? null
  if (!event.comment || event.comment.author_is_member !== null) return NOT_NEEDED
  if ('refused' in access) return unknown(access.refused)
  if (author === null) return unknown('The delivery does not say who wrote the comment.')
  const { findPermission } = access
  if (typeof findPermission !== 'function') return unknown(findPermission.unasked)
  const membership = { state: 'asked_later' } as const
  const context: MatchContext = { ...access.context, membership }
  const only = new Set(pending.deferredTriggers)
  const matches = [
    ...(only.size === 0 ? [] : (await means.triggers.matcher()).match(event, context, { only })),
    ...matchManifestOf(means, read, { event, sourceId: pending.sourceId, membership }, access),
  ]
  if (!matches.some(({ membershipUndecided }) => membershipUndecided)) return NOT_NEEDED
  return describe(await findPermission(author, signal), author, event.repository.full_name)
}

function unknown(reason: string): AskedMembership {
  return { membership: { state: 'unknown', reason }, retry: false }
}

function describe(answer: ForgeAnswer<ForgePermission>, { login, id }: Person, repository: string): AskedMembership {
  const who = login ?? id ?? 'the author'
  switch (answer.outcome) {
    case 'found': {
      const { mayWrite, role } = answer.value
      const detail = `The provider says that ${who} may ${mayWrite ? '' : 'not '}write to ${repository} (${role}).`
      return { membership: { state: 'told', mayWrite, detail }, retry: false }
    }
    case 'not_found': {
      const detail = `The provider tells the credential of the source no permission of ${who} on ${repository}.`
      return { membership: { state: 'told', mayWrite: false, detail }, retry: false }
    }
    case 'failed':
      return { membership: { state: 'unknown', reason: answer.reason }, retry: answer.retry }
  }
}
