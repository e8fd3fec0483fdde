import { EVENT_KINDS } from '@signalbox/contracts/event'
import { ON_CONFLICT } from '@signalbox/contracts/runs'
import { DRAFT_RULES } from '@signalbox/contracts/triggers'
import { Type } from 'typebox'

/**
 * The schema of a repository's manifest: the service validates by it, and editors read it as JSON Schema. `errorMessage` and
 * `patternErrorMessage` say what to write instead.
 */

export const MAX_TRIGGERS = 100
export const VERSION = 1

function oneOf(values: readonly string[], description?: string) {
  const patternErrorMessage = `write one of ${values.join(', ')}`
  const about = description === undefined ? {} : { description }
  return Type.String({ enum: [...values], pattern: `^(?:${values.join('|')})$`, patternErrorMessage, ...about })
}

function texts(description: string, example: string, maxItems = 200, maxLength = 201) {
  return Type.Optional(
    Type.Array(Type.String({ maxLength }), { maxItems, description, errorMessage: `write a list, such as ${example}` }),
  )
}

const segment = '[a-z0-9][a-z0-9_-]{0,62}'

const Concurrency = Type.Object(
  {
    group: Type.String({
      maxLength: 500,
      description:
        'Text; `${{ run.group_key }}` is replaced by the value of the CEL. Runs of equal text are of one group.',
      errorMessage: 'write a text, such as "deploy-${{ run.group_key }}"',
    }),
    on_conflict: oneOf(ON_CONFLICT, 'The rule for a new run while another run of the group has not ended.'),
  },
  {
    additionalProperties: false,
    errorMessage: 'write { group: "deploy-${{ run.group_key }}", on_conflict: queue }',
  },
)

const ManifestTrigger = Type.Object(
  {
    name: Type.String({
      pattern: `^${segment}$`,
      patternErrorMessage: 'write a name of lower-case letters, digits, - and _, at most 63 characters, such as main',
      description: 'Unique in the manifest.',
    }),
    events: Type.Array(oneOf(EVENT_KINDS), {
      minItems: 1,
      maxItems: EVENT_KINDS.length,
      description: 'Kinds of events.',
      errorMessage: 'write a list of kinds, such as [push, pull_request]',
    }),
    actions: texts('Empty: the usual ones, such as opened, reopened and synchronized.', '[opened, labeled]', 50, 100),
    branches: texts('Branch patterns; ! excludes, the last that fits decides.', '[main, "release/**"]'),
    tags: texts('Tag patterns.', '["v*"]'),
    paths: texts('Patterns of changed files.', '["src/**", "!**/*.md"]'),
    labels: texts('Patterns of labels of the pull request.', '[deploy, "!wip"]'),
    draft: Type.Optional(oneOf(DRAFT_RULES, 'Whether pull requests that are drafts count.')),
    commands: texts(
      'Commands: a comment on a pull request must begin with one of them.',
      '[/retest, /cancel]',
      20,
      100,
    ),
    commenters: texts('The people that may give commands: logins, @members, @author.', '["@members", mona]'),
    skip_ci: Type.Optional(
      Type.Boolean({
        description: 'Whether a push starts nothing where its head commit says [skip ci] or the like. Default true.',
        errorMessage: 'write true or false',
      }),
    ),
    report_comment: Type.Optional(
      Type.Boolean({
        description: 'Whether the pull request gets a comment that shows what became of it. Default false.',
        errorMessage: 'write true or false',
      }),
    ),
    if: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: 'CEL over `event`.',
        errorMessage: 'write a condition in CEL, such as event.forced != true',
      }),
    ),
    pipeline: Type.String({
      pattern: `^${segment}(?:/${segment}){1,8}$`,
      patternErrorMessage: 'write the team path and the name of a pipeline, such as acme/web/build',
      description: '<team path>/<pipeline name>, at or below the team of the source.',
    }),
    scope: Type.String({
      pattern: `^${segment}(?:/${segment}){1,8}$`,
      patternErrorMessage: 'write the team path and an environment, such as acme/web/staging',
      description: '<team path>/<environment>, at or below the team of the source.',
    }),
    variables: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }),
        Type.Union([Type.String({ maxLength: 32_768 }), Type.Number(), Type.Boolean()], {
          errorMessage: 'write a text, "" for an empty one; numbers and true or false are taken as written',
        }),
        {
          additionalProperties: false,
          description: 'Values for variables of the pipeline; text with `${{ CEL over run and event }}` in it.',
          errorMessage: 'write names and values, such as { TARGET: "${{ event.branch }}" }',
          keyErrorMessage: 'write a name of letters, digits and _ that does not start with a digit, such as TARGET',
        },
      ),
    ),
    concurrency: Type.Optional(Concurrency),
    enabled: Type.Optional(Type.Boolean({ errorMessage: 'write true or false' })),
  },
  { additionalProperties: false, errorMessage: 'write a trigger with name, events, pipeline and scope' },
)

export const ManifestSchema = Type.Object(
  {
    version: Type.Integer({ enum: [VERSION], errorMessage: `write version: ${VERSION}` }),
    triggers: Type.Array(ManifestTrigger, {
      maxItems: MAX_TRIGGERS,
      errorMessage: 'write a list of triggers, [] for none',
    }),
  },
  { additionalProperties: false, errorMessage: `write version: ${VERSION} and triggers` },
)

const known = [ManifestSchema, ManifestTrigger, Concurrency].flatMap((schema) => Object.keys(schema.properties))

/** Every directive, for the message about a directive in a wrong place. */
export const MANIFEST_DIRECTIVES: readonly string[] = known

/** JSON Schema (2020-12) of `.signalbox/triggers.yaml`, for editors. */
export function manifestJsonSchema(): Record<string, unknown> {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Signalbox triggers of a repository',
    description: 'The pipelines that events of this repository start: `.signalbox/triggers.yaml`.',
    ...ManifestSchema,
  }
  // The round trip through JSON drops the schema library's own properties.
  return JSON.parse(JSON.stringify(schema))
}
