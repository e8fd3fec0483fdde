import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, pageQuery, Sentence, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

/** A tool as one token sees it. */
export const McpTool = Type.Object({
  name: OwnName,
  title: OwnName,
  family: OwnName,
  does: Type.Enum(['read', 'plan', 'confirm'], {
    description: 'read: it answers. plan: it prepares a write. confirm: it carries out a plan, the only way to write.',
  }),
  description: Sentence,
  permissions: Type.Array(OwnName, { description: 'Without each of these the tool is not offered.' }),
  places: Type.Array(Type.Union([TeamPath, Type.Literal('/')]), {
    description: 'The team paths at and below which it can be used; "/" is everywhere.',
  }),
})
export type McpTool = Static<typeof McpTool>

export const McpToolQuery = Type.Object(
  {
    token_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'As this token sees them: one of your own, or one whose owner you manage.',
      }),
    ),
  },
  STRICT,
)
export type McpToolQuery = Static<typeof McpToolQuery>

export const HiddenWhy = Type.Enum(
  ['family_off', 'token_families', 'token_reads_only', 'token_limits', 'no_permission', 'other_kind', 'no_plans'],
  { description: 'A token with limits is not told what its owner may: it gets no_permission, never token_limits.' },
)
export type HiddenWhy = Static<typeof HiddenWhy>

/** Tools that the same reason hides. */
export const HiddenTools = Type.Object({ why: HiddenWhy, sentence: Sentence, tools: Type.Array(OwnName) })
export type HiddenTools = Static<typeof HiddenTools>

export const McpTools = Type.Object({
  address: Type.String({ ...OURS, description: 'What clients are configured with.' }),
  tools: Type.Array(McpTool),
  hidden: Type.Array(HiddenTools, { description: 'What is left out, and by what.' }),
})
export type McpTools = Static<typeof McpTools>

export const McpCallQuery = Type.Object({ ...pageQuery, token_id: Type.Optional(Uuid) }, STRICT)
export type McpCallQuery = Static<typeof McpCallQuery>

/** One call of a tool. */
export const McpCall = Type.Object({
  id: Uuid,
  occurred_at: Time,
  subject: Type.String({ description: 'Who called, as they were called then.' }),
  token_id: Nullable(Uuid),
  client: Nullable(Type.String({ description: 'How the client calls itself.' })),
  tool: OwnName,
  outcome: Type.Enum(['answered', 'refused', 'failed', 'limited']),
  bytes: Type.Integer({ description: 'Size of the answer.' }),
  plan_id: Nullable(Uuid),
})
export type McpCall = Static<typeof McpCall>
