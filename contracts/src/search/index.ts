import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, STRICT, Uuid } from '../http/index.ts'

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
  where: Nullable(Type.String(OURS), {
    description: 'Path of its team, or "/" for the platform; null: it is of no team.',
  }),
  detail: Nullable(Type.String()),
})
export type SearchHit = Static<typeof SearchHit>

export const SearchAnswer = Type.Object({
  hits: Type.Array(SearchHit, { description: 'The closest first; only what the caller may see.' }),
})
export type SearchAnswer = Static<typeof SearchAnswer>

/** What can be found by anything that names it. Secrets are left out: agents ask here. */
export const FIND_KINDS = [
  'run',
  'pipeline',
  'team',
  'event',
  'delivery',
  'override',
  'schedule',
  'source',
  'trigger',
  'external_trigger',
  'runner',
  'profile',
  'knowledge',
  'emergency',
  'user',
  'group',
  'service_account',
] as const
export type FindKind = (typeof FIND_KINDS)[number]

export const FindQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'A name, an id, the address of a page, a commit (seven digits or more), owner/name, a branch, or a pull request such as acme/shop#12.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 20 })),
  },
  STRICT,
)
export type FindQuery = Static<typeof FindQuery>

export const FoundThing = Type.Object({
  kind: Type.Enum([...FIND_KINDS]),
  id: Type.String({ ...OURS, description: 'A uuid; of an override the name of its repository.' }),
  name: Nullable(Type.String(), { description: 'Of a run: its pipeline.' }),
  team_path: Nullable(Type.String(OURS), { description: '"/" is the platform; null: it is of no team.' }),
  parent_id: Nullable(Uuid, { description: 'Of a delivery its source, of an event its delivery.' }),
  why: Type.String({ ...OURS, description: 'What it has in common with what was asked for.' }),
  told: Nullable(Type.String(), { description: 'Repository, branch, commit, login: as others wrote them.' }),
  page: Type.String({ ...OURS, description: 'Its page, such as #/runs/<id>.' }),
  tool: Nullable(OwnName, { description: 'The tool that tells agents more.' }),
})
export type FoundThing = Static<typeof FoundThing>

export const FindAnswer = Type.Object({
  found: Type.Array(FoundThing, { maxItems: 20, description: 'The best first; only what the caller may see.' }),
})
export type FindAnswer = Static<typeof FindAnswer>
