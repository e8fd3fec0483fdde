import { Type } from 'typebox'
import { checkout } from './checkout.ts'
import {
  duration,
  environment,
  named,
  OUTPUT_NAME_PATTERN,
  OUTPUT_NAME_TEXT,
  oneOf,
  profile,
  scalar,
  storedSecret,
} from './parts.ts'
import { StepSchema } from './step.ts'

const Concurrency = Type.Object(
  {
    group: Type.String({
      pattern: '\\S',
      patternErrorMessage: 'write a text, such as "deploy-${{ run.group_key }}"',
      maxLength: 500,
      description:
        'Runs of equal text are of one group, within the team. `${{ <CEL> }}` over `event` and `variables` is replaced when a run is queued.',
    }),
    on_conflict: oneOf(
      ['cancel_running', 'queue', 'skip'],
      'The effect of a new run while another of the group has not ended: it ends the other, waits for it, or is left out. Default queue.',
    ),
  },
  {
    additionalProperties: false,
    description: 'Runs of which only one goes on at a time.',
    errorMessage: 'write { group: "deploy-${{ run.group_key }}", on_conflict: queue }',
  },
)

const FinalOutput = Type.Object(
  {
    name: Type.String({
      pattern: OUTPUT_NAME_PATTERN,
      patternErrorMessage: OUTPUT_NAME_TEXT,
      description: 'Unique within the pipeline. A task of kind `pipeline` has it as its output.',
    }),
    format: oneOf(['markdown', 'json', 'text'], 'The format of the text that the template makes. Default markdown.'),
    template: Type.String({
      maxLength: 65_536,
      description:
        'Text in which `$steps.<step>.<task>.outputs.<name>` of any task is replaced, but of no sensitive output.',
      errorMessage: 'write a text, such as "Coverage: $steps.test.unit.outputs.coverage"',
    }),
  },
  {
    additionalProperties: false,
    errorMessage: 'write a final output, such as { name: summary, template: "..." }',
  },
)

/** The single description of a document: it validates the shape, and editors read it as JSON Schema. */
export const PipelineSchema = Type.Object(
  {
    name: named('Name of the pipeline within its team.'),
    variables: environment(
      scalar,
      'Environment of every task. A trigger, a schedule or a request may override the values.',
      'write names and values, such as { NODE_ENV: test }',
    ),
    secrets: environment(
      storedSecret('<team path>/<name> of a stored secret.', 'acme/web/npm'),
      'Environment name to stored secret. The values are always masked.',
      'write names and stored secrets, such as { NPM_TOKEN: acme/web/npm }',
    ),
    profile: profile('Where tasks run.'),
    timeout: duration('Time limit of the run.'),
    queue_timeout: duration('How long a run may wait for a runner; then it is timed_out. Without it for ever.'),
    priority: Type.Optional(
      Type.Integer({
        minimum: -100,
        maximum: 100,
        description:
          'Of runs of one team that wait for the same runners those with the higher one start first. Default 0.',
        errorMessage: 'write a whole number from -100 to 100',
      }),
    ),
    checkout: checkout('False: tasks start in an empty workspace. Default true.'),
    concurrency: Type.Optional(Concurrency),
    steps: Type.Array(StepSchema, {
      minItems: 1,
      description: 'The order of the steps comes from depends_on, not from their place in the list.',
      errorMessage: 'write a list with at least one step',
    }),
    final_outputs: Type.Optional(
      Type.Array(FinalOutput, {
        maxItems: 50,
        description: 'The texts made of a run once it is over, and kept apart from its log.',
        errorMessage: 'write a list, such as [{ name: summary, template: "..." }]',
      }),
    ),
  },
  { additionalProperties: false, errorMessage: 'write a map with name and steps' },
)

/** JSON Schema (2020-12) of a pipeline document, for editors. */
export function pipelineJsonSchema(): Record<string, unknown> {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Signalbox pipeline',
    description: 'A pipeline of Signalbox: steps of tasks, ordered by what they depend on.',
    ...PipelineSchema,
  }
  // Through JSON, so that what the schema library keeps for itself stays behind.
  return JSON.parse(JSON.stringify(schema))
}
