import { type TSchema, Type } from 'typebox'
import { DURATION_PATTERN } from '../duration.ts'

/**
 * Words that the parts of the schema are made of. `errorMessage` and `patternErrorMessage` are understood by editors
 * too; they say what to write instead.
 */

export const SEGMENT = '[a-z0-9][a-z0-9_-]{0,62}'
const NAME_TEXT = 'write a name of lower-case letters, digits, - and _, at most 63 characters, such as unit-tests'
const ENVIRONMENT_NAME_TEXT =
  'write a name of letters, digits and _ that does not start with a digit or with SIGNALBOX_, such as NODE_ENV'
const DURATION_TEXT = 'write a duration such as "90s", "10m" or "1h30m", at most 30 days'
/** Names of outputs, approval fields and final outputs, for all of them are outputs of some task. */
export const OUTPUT_NAME_PATTERN = '^[A-Za-z_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$'
export const OUTPUT_NAME_TEXT =
  'write a name of letters, digits, _ and -, starting with a letter or _, such as coverage'

const environmentName = Type.String({ pattern: '^(?!SIGNALBOX_)[A-Za-z_][A-Za-z0-9_]{0,127}$' })

export function named(description: string) {
  return Type.String({ pattern: `^${SEGMENT}$`, patternErrorMessage: NAME_TEXT, description })
}

export function duration(description: string) {
  return Type.Optional(
    Type.String({
      pattern: DURATION_PATTERN,
      patternErrorMessage: DURATION_TEXT,
      errorMessage: DURATION_TEXT,
      description,
    }),
  )
}

export function condition(description: string) {
  return Type.Optional(
    Type.String({ description, errorMessage: 'write a condition in CEL, such as run.branch == "main"' }),
  )
}

export function dependsOn(description: string) {
  const item = Type.String({ pattern: `^${SEGMENT}$`, patternErrorMessage: NAME_TEXT })
  return Type.Optional(Type.Array(item, { description, errorMessage: 'write a list of names, such as [build, lint]' }))
}

export function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }))
}

export function oneOf(values: readonly string[], description: string) {
  const patternErrorMessage = `write one of ${values.join(', ')}`
  return Type.Optional(
    Type.String({ enum: [...values], pattern: `^(?:${values.join('|')})$`, patternErrorMessage, description }),
  )
}

const SCALAR_TEXT = 'write a text, "" for an empty one; numbers and true or false are taken as written'

export const scalar = describedScalar()

export function describedScalar(description?: string) {
  const about = description === undefined ? {} : { description }
  return Type.Union([Type.String(), Type.Number(), Type.Boolean()], { errorMessage: SCALAR_TEXT, ...about })
}

export function environment(value: TSchema, description: string, errorMessage: string) {
  return Type.Optional(
    Type.Record(environmentName, value, {
      additionalProperties: false,
      description,
      errorMessage,
      keyErrorMessage: ENVIRONMENT_NAME_TEXT,
    }),
  )
}

/** Paths inside the workspace; what leaves it is refused when the values are looked at. */
export function paths(description: string, example: string) {
  return Type.Array(
    Type.String({ pattern: '\\S', patternErrorMessage: 'write a path, such as dist', maxLength: 1_000 }),
    {
      minItems: 1,
      maxItems: 100,
      description,
      errorMessage: `write a list of paths within the workspace, such as ${example}`,
    },
  )
}

export const STORED_SECRET_PATTERN = `^${SEGMENT}(?:/${SEGMENT}){0,7}/[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$`

export function storedSecret(description: string, example: string) {
  return Type.String({
    pattern: STORED_SECRET_PATTERN,
    patternErrorMessage: `write the team path and the name of a stored secret, such as ${example}`,
    description,
  })
}

/** Like `storedSecret`, or several of them by the host of a registry. */
export function registryCredential(description: string, example: string) {
  const one = storedSecret(description, example)
  const byRegistry = Type.Record(Type.String({ pattern: '\\S' }), one, { additionalProperties: false })
  return Type.Union([one, byRegistry], {
    description,
    errorMessage: `write the team path and the name of a stored secret, such as ${example}, or registries with theirs, such as { ghcr.io: ${example} }`,
  })
}

export function profile(description: string) {
  return Type.Optional(
    Type.String({
      pattern: `^${SEGMENT}(?:/${SEGMENT}){0,8}$`,
      patternErrorMessage: 'write the name of a profile, such as node24 or acme/web/node24',
      description,
    }),
  )
}
