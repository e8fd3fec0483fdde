import type { Caller } from '#platform/http'
import type { Clue, FoundByClue } from '#platform/room'
import { orUnavailable } from '../errors.ts'
import type { Means } from '../means.ts'
import { refsOfPullRequest } from '../rules/index.ts'
import * as store from '../store/deliveries.ts'
import { findVisibleEvent, listEvents, type MarkedEvent } from './read-events.ts'

/** Events and deliveries that the caller may see: by their ids, and the newest events of what a repository told of. */
export async function findByClue(
  means: Means,
  caller: Caller,
  clue: Clue,
  limit: number,
): Promise<readonly FoundByClue[]> {
  switch (clue.kind) {
    case 'id':
      return [...(await findEventOf(means, caller, clue.id)), ...(await findDeliveryOf(means, caller, clue.id))]
    case 'commit':
      return list(means, caller, { commit_sha: clue.commit, limit }, 'It told of this commit.')
    case 'repository':
      return list(means, caller, { repository: clue.repository, limit }, 'It is of this repository.')
    case 'branch': {
      const { branch, repository } = clue
      // Of no repository it could be any: the runs of the branch say which.
      if (repository === undefined) return []
      return list(means, caller, { repository, ref: `refs/heads/${branch}`, limit }, 'It is of this branch.')
    }
    case 'pull_request': {
      const found: FoundByClue[] = []
      for (const ref of refsOfPullRequest(clue.number)) {
        const asked = { repository: clue.repository, ref, limit }
        found.push(...(await list(means, caller, asked, 'It is of this pull request.')))
      }
      return found.toSorted((left, right) => (left.id < right.id ? 1 : -1)).slice(0, limit)
    }
  }
}

type Asked = Parameters<typeof listEvents>[2]

async function list(means: Means, caller: Caller, query: Asked, why: string): Promise<FoundByClue[]> {
  const { items } = await listEvents(means, caller, query)
  return items.map((event) => present(event, why))
}

async function findEventOf(means: Means, caller: Caller, id: string): Promise<FoundByClue[]> {
  const event = await findVisibleEvent(means, caller, id)
  return event ? [present(event, 'It has this id.')] : []
}

function present({ id, teamPath, deliveryRecordId: parentId, ...event }: EventLike, why: string): FoundByClue {
  const { repository, ref, commitSha } = event
  const told = [repository, ref, commitSha?.slice(0, 8)].filter((part) => part).join(' ')
  return { kind: 'event', id, name: null, teamPath, parentId, why, told: told === '' ? null : told }
}

type EventLike = Pick<MarkedEvent, 'id' | 'deliveryRecordId' | 'teamPath' | 'repository' | 'ref' | 'commitSha'>

/** As lists of deliveries do, it asks for both permissions at the team of the source. */
async function findDeliveryOf(means: Means, caller: Caller, id: string): Promise<FoundByClue[]> {
  const sourceId = await store.findSourceId(means.database.kysely, id)
  const book = await orUnavailable(means.ingress.book.get())
  const source = sourceId === undefined ? undefined : book.get(sourceId)?.source
  if (
    !source ||
    !(caller.can('webhook_source.read', source.teamPath) && caller.can('delivery.read', source.teamPath))
  ) {
    return []
  }
  const { name, teamPath } = source
  return [{ kind: 'delivery', id, name, teamPath, parentId: source.id, why: 'It has this id.', told: null }]
}
