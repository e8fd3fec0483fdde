import { type Static, type TSchema, Type } from 'typebox'
import { OURS } from './words.ts'

export { EVIDENCE_KINDS, Evidence, Finding, OURS, OWN_WORDS, OwnName, Sentence } from './words.ts'

/** Shapes that every room's routes share. */

export const Uuid = Type.String({ format: 'uuid' })
/** RFC 3339 UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time' })
export const TeamPath = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7}$',
  maxLength: 500,
  description: 'Path of a team, such as acme/web.',
})
export const Scope = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){1,8}$',
  maxLength: 600,
  description: '<team path>/<environment>, such as acme/web/production.',
})

/** One for each rule of `git check-ref-format`. `.` would end the look ahead at U+2028 and U+2029, which git takes. */
const NO_REF =
  '(?![\\s\\S]*\\.\\.)(?![\\s\\S]*@\\{)(?![\\s\\S]*//)(?![\\s\\S]*/\\.)(?![\\s\\S]*\\.lock(?:/|$))(?![\\s\\S]*[./]$)'
const NOT_IN_REF = '\\x00-\\x20\\x7f~^:?*[\\\\'

/** A name that git takes below refs/heads; no option of a command, and no name of git's own (`@`). */
export const GIT_REF = {
  pattern: `^(?!@$)(?!-)${NO_REF}[^./${NOT_IN_REF}][^${NOT_IN_REF}]*$`,
  minLength: 1,
  maxLength: 1000,
} as const

export const FULL_REF = {
  ...GIT_REF,
  pattern: `^${NO_REF}refs/[^./${NOT_IN_REF}][^/${NOT_IN_REF}]*/[^./${NOT_IN_REF}][^${NOT_IN_REF}]*$`,
  description: 'A full ref such as refs/heads/main',
} as const
export const FullRef = Type.String(FULL_REF)

export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options)
}

const PrincipalName = Type.String({ description: 'As it was called then.' })

/** The owner, initiator or decider of something. */
export const Principal = Type.Object({
  kind: Type.Enum(['user', 'service_account', 'bootstrap', 'system']),
  id: Type.String(),
  name: PrincipalName,
})
export type Principal = Readonly<Static<typeof Principal>>

/** A principal that runs start on behalf of: the product itself owns nothing. */
export const Owner = Type.Object(
  { kind: Type.Enum(['user', 'service_account', 'bootstrap']), id: Type.String(), name: PrincipalName },
  { description: 'The user or service account who wrote it last; its runs start on their behalf.' },
)
export type Owner = Readonly<Static<typeof Owner>>

/** Query of every list: newest first, keyset-paged; the next page is in the Link header. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
}

/** The filter of a list by a commit. */
export const CommitPrefix = Type.String({
  pattern: '^[0-9A-Fa-f]{4,64}$',
  description: 'The commit, or its first digits: at least four.',
})

/** The filter of a list of what was told of repositories. */
export const RefFilter = Type.String({
  ...GIT_REF,
  description: 'With repository. `main` is the branch or the tag of that name; else in full.',
})

/** The filter of a list that holds the things of a team and of the teams below it. */
export const TeamFilter = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Uuid or path of a team; teams below it are included.',
})

/** A body or query that names every field it knows; an unknown one is 400. */
export const STRICT = { additionalProperties: false } as const

/** A field that the service alone sets: a document that was read may be written back, what stands here is ignored. */
export const ReadOnly = Type.Optional(Type.Unknown({ description: 'Read-only: accepted and ignored.' }))

/**
 * Marks a secret in an answer. The secret is shown once, so an answer that is kept for a repetition is sealed and
 * short-lived.
 */
export const SHOWN_ONCE = 'x-shown-once'

export function ShownOnce(description: string) {
  return Type.String({ description, [SHOWN_ONCE]: true })
}
