import { type Static, type TProperties, Type } from 'typebox'
import { Nullable, OURS, pageQuery, ReadOnly, Scope, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

/** `policy` and `guardrail` block by a rule; a `reference` only informs. */
export const KNOWLEDGE_KINDS = ['policy', 'guardrail', 'reference'] as const
/** Where a rule is judged: when a run, a step or a task is about to begin. */
export const JUDGED_AT = ['run', 'step', 'task'] as const

/** In characters. */
const MAX_TEXT = 65_536
const MAX_MESSAGE = 1000
const MAX_RULE = 2048
const MAX_PATTERN = 200

export const OwnerPath = Type.String({
  ...OURS,
  pattern: '^(/|[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7})$',
  maxLength: 500,
  description: 'Path of a team, such as acme/web; / is the platform.',
})

export const ScopePattern = Type.String({
  minLength: 1,
  maxLength: MAX_PATTERN,
  description: 'Glob over scopes, such as acme/web/** or acme/*/production; ** matches any number of parts.',
})

const KnowledgeName = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  description: 'Lower-case letters, digits, "-" and "_", at most 63 characters; unique within the team.',
})

/** `<team path>/<name>`, `/<name>` of the platform, or the uuid. */
export const KNOWLEDGE_KEY = {
  maxLength: 600,
  pattern: '^(/?[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,8}|[0-9A-Fa-f-]{36})$',
} as const

export const KnowledgeParams = Type.Object({
  id: Type.String({
    ...KNOWLEDGE_KEY,
    description: 'The id, or the URL-encoded identifier, such as acme%2Fweb%2Fpinned-images.',
  }),
})

const place = {
  team_path: OwnerPath,
  name: KnowledgeName,
  kind: Type.Enum([...KNOWLEDGE_KINDS], {
    description: 'policy: written by owners; guardrail: written by editors; reference: blocks nothing.',
  }),
} satisfies TProperties

const rule = {
  scope: ScopePattern,
  rule: Nullable(
    Type.String({
      maxLength: MAX_RULE,
      description: 'CEL that must be true, of a policy or guardrail; null: a reference.',
    }),
  ),
  at: Nullable(
    Type.Enum([...JUDGED_AT], {
      description:
        'The rule is judged at this place alone; null: at every place where the names in the rule are known.',
    }),
  ),
  time_zone: Type.String({ maxLength: 100, description: 'The time zone of `now`, such as Europe/Berlin.' }),
} satisfies TProperties

const content = {
  ...rule,
  message: Nullable(
    Type.String({
      maxLength: MAX_MESSAGE,
      description: 'Shown where the rule does not hold: what is wrong, and what to do instead.',
    }),
  ),
  text: Type.String({ maxLength: MAX_TEXT, description: 'Markdown, for people and models.' }),
} satisfies TProperties

/** Of lists: without the text. */
export const KnowledgeSummary = Type.Object({
  id: Uuid,
  ...place,
  identifier: Type.String({ ...OURS, description: '<team path>/<name>; /<name> of the platform.' }),
  ...rule,
  message: content.message,
  revision: Type.Integer({ minimum: 1, description: 'The current one; each save makes the next.' }),
  revision_id: Uuid,
  saved_by: Type.String(),
  created_at: Time,
  updated_at: Time,
})
export type KnowledgeSummary = Static<typeof KnowledgeSummary>

export const KnowledgeItem = Type.Object({ ...KnowledgeSummary.properties, text: content.text })
export type KnowledgeItem = Static<typeof KnowledgeItem>

/** Fields that only the service sets; an item that was read can be written back. */
const readOnly = {
  id: ReadOnly,
  identifier: ReadOnly,
  revision: ReadOnly,
  revision_id: ReadOnly,
  saved_by: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
}

/** Without a scope: everything of the team and below it. Without a time zone: UTC. */
const writable = {
  scope: Type.Optional(content.scope),
  rule: Type.Optional(content.rule),
  at: Type.Optional(content.at),
  time_zone: Type.Optional(content.time_zone),
  message: Type.Optional(content.message),
  text: Type.Optional(content.text),
}

export const KnowledgeInput = Type.Object({ ...place, ...writable, ...readOnly }, STRICT)
export type KnowledgeInput = Static<typeof KnowledgeInput>

/** The whole content anew. Team, name and kind stay. */
export const KnowledgeReplacement = Type.Object(
  {
    team_path: Type.Optional(place.team_path),
    name: Type.Optional(place.name),
    kind: Type.Optional(place.kind),
    ...writable,
    ...readOnly,
  },
  STRICT,
)
export type KnowledgeReplacement = Static<typeof KnowledgeReplacement>

export const KnowledgeQuery = Type.Object(
  {
    ...pageQuery,
    team_path: Type.Optional(OwnerPath),
    kind: Type.Optional(place.kind),
    /** Only what applies there. */
    scope: Type.Optional(Scope),
    /** With `scope`: what binds the pipelines of this team there. Left out: those of the scope's own team. */
    pipeline_team: Type.Optional(TeamPath),
  },
  STRICT,
)
export type KnowledgeQuery = Static<typeof KnowledgeQuery>

/** The state of an item after one save. Never changed and never deleted, because runs pin it. */
export const KnowledgeRevision = Type.Object({
  id: Uuid,
  item_id: Uuid,
  ...place,
  identifier: KnowledgeSummary.properties.identifier,
  revision: KnowledgeSummary.properties.revision,
  ...content,
  saved_by: Type.String(),
  saved_at: Time,
})
export type KnowledgeRevision = Static<typeof KnowledgeRevision>

/** Of lists: without the text. */
export const KnowledgeRevisionSummary = Type.Omit(KnowledgeRevision, ['text'])
export type KnowledgeRevisionSummary = Static<typeof KnowledgeRevisionSummary>

export const KnowledgeRevisionParams = Type.Object({ id: Uuid })
export const KnowledgeRevisionQuery = Type.Object(pageQuery, STRICT)
export type KnowledgeRevisionQuery = Static<typeof KnowledgeRevisionQuery>
