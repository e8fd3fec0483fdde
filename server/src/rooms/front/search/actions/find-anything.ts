import type { FindQuery, FoundThing } from '@signalbox/contracts/search'
import type { Caller } from '#platform/http'
import type { Clue, SearchWish } from '#platform/room'
import type { Means } from '../means.ts'
import { type Candidate, chooseFound, fromSearch, placeOf, readTyped, readWish } from '../rules/index.ts'
import { askRooms } from './ask-rooms.ts'

const DEFAULT_LIMIT = 20
/** Of one clue in one room: the newest ones. */
const MOST_OF_A_CLUE = 5
/** Names are compared with no more of what was typed. */
const MOST_TEXT = 200

type Question = () => Promise<readonly Candidate[]>

/** What was typed or pasted means here, as far as the caller may see it. What is hidden is not there. */
export async function findAnything(means: Means, caller: Caller, query: FindQuery): Promise<FoundThing[]> {
  const { limit = DEFAULT_LIMIT } = query
  const { text, clues } = readTyped(query.q)
  const isId = clues.some(({ kind }) => kind === 'id')
  const wish = text === undefined ? undefined : readWish(text.slice(0, MOST_TEXT), limit, means.searches.length)
  const questions = [
    ...(wish === undefined ? [] : bySearch(means, caller, { ...wish, within: undefined }, isId)),
    ...clues.flatMap((clue, place) => byClue(means, caller, clue, place)),
  ]
  const candidates = await askRooms(questions, (ask) => ask())
  return chooseFound(candidates, limit).map((found) => ({
    kind: found.kind,
    id: found.id,
    name: found.name,
    team_path: found.teamPath,
    parent_id: found.parentId ?? null,
    why: found.why,
    told: found.told,
    ...placeOf(found),
  }))
}

function bySearch(means: Means, caller: Caller, wish: SearchWish, isId: boolean): Question[] {
  return means.searches.flatMap(({ kind, find }) =>
    kind === 'secret' ? [] : [async () => (await find(caller, wish)).map((hit) => fromSearch(kind, hit, isId))],
  )
}

/** The clues are in the order in which they say what was meant; an id says it without doubt. */
function byClue(means: Means, caller: Caller, clue: Clue, place: number): Question[] {
  const rank = clue.kind === 'id' ? place : place + 1
  return means.finders.map(
    ({ find }) =>
      async () =>
        (await find(caller, clue, MOST_OF_A_CLUE)).map((found) => ({ ...found, rank })),
  )
}
