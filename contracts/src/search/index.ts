import { type Static, Type } from 'typebox'
import { Nullable, STRICT, Uuid } from '../http/index.ts'

/** What can be looked for, in the order in which equally good hits are shown. */
export const SEARCH_KINDS = [
  'pipeline',
  'run',
  'team',
  'schedule',
  'source',
  'trigger',
  'external_trigger',
  'runner',
  'secret',
  'profile',
  'knowledge',
  'user',
  'group',
  'service_account',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

const one = `(${SEARCH_KINDS.join('|')})`

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words; each is a part of the name or of its path, in any case. A run is found by the first four or more characters of its id or commit.',
    }),
    kinds: Type.Optional(
      Type.String({
        pattern: `^${one}(,${one}){0,13}$`,
        description: `Only these kinds, with commas between them: ${SEARCH_KINDS.join(', ')}.`,
      }),
    ),
    teamId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Id or path: only of this team and the teams below it.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  },
  STRICT,
)
export type SearchQuery = Static<typeof SearchQuery>

export const SearchHit = Type.Object({
  kind: Type.Enum([...SEARCH_KINDS]),
  id: Uuid,
  title: Type.String({ description: 'Such as acme/web/build.' }),
  where: Nullable(Type.String(), { description: 'Path of its team, or "/" for the platform; null: it is of no team.' }),
  detail: Nullable(Type.String()),
})
export type SearchHit = Static<typeof SearchHit>

export const SearchAnswer = Type.Object({
  hits: Type.Array(SearchHit, { description: 'The closest first; only what the caller may see.' }),
})
export type SearchAnswer = Static<typeof SearchAnswer>
