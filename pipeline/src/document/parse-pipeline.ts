import { compileGraph, type Graph, type StepDefinition, type TaskDefinition } from '../graph/index.ts'
import { parseTemplate } from '../outputs/index.ts'
import { checkOrder } from './check-order.ts'
import { checkReferences } from './check-references.ts'
import { checkValues } from './check-values.ts'
import { type DocumentLimits, defaultLimits } from './limits.ts'
import {
  millisecondsOf,
  type Outline,
  type Placed,
  readOutline,
  type StepOutline,
  type TaskOutline,
} from './outline.ts'
import type { Pipeline } from './pipeline.ts'
import { type Problem, ProblemList } from './problem.ts'
import { readSource } from './read-source.ts'
import { readText } from './read-text.ts'
import { PipelineSchema, StepSchema, TaskSchema } from './schema.ts'
import { checkStructure, type DocumentLanguage } from './structure.ts'
import { describeUnknown } from './suggestion.ts'

export type ParseResult =
  | { readonly ok: true; readonly pipeline: Pipeline; readonly graph: Graph; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] }

const everywhere = [PipelineSchema, StepSchema, TaskSchema].flatMap((schema) => Object.keys(schema.properties))

const language: DocumentLanguage = {
  schema: PipelineSchema,
  describeUnknown: (name, known) => describeUnknown(name, known, everywhere),
}

/**
 * Reads a pipeline document: either the pipeline with its graph, or every problem at once in the order of the text.
 * Never throws, whatever the input. Only text that is no YAML at all hides the problems behind it.
 */
export function parsePipeline(input: string | Uint8Array, limits: Partial<DocumentLimits> = {}): ParseResult {
  const applied = { ...defaultLimits, ...limits }
  const problems = new ProblemList()
  const warnings = new ProblemList()
  const outline = check(input, applied, problems, warnings)
  const head = outline === undefined || !problems.isEmpty ? undefined : readHead(outline, applied)
  if (outline === undefined || head === undefined)
    return { ok: false, problems: problems.list(), warnings: warnings.list() }
  const { variables, secrets, profile, timeoutMs } = head
  const steps = outline.steps.flatMap((step) => defineStep(step, outline, applied))
  const graph = compileGraph({
    timeoutMs,
    queueTimeoutMs: null,
    priority: 0,
    concurrency: null,
    finalOutputs: [],
    profile,
    variables,
    secrets,
    steps,
  })
  return { ok: true, pipeline: head, graph, warnings: warnings.list() }
}

function check(
  input: string | Uint8Array,
  limits: DocumentLimits,
  problems: ProblemList,
  warnings: ProblemList,
): Outline | undefined {
  const text = readText(input, limits, problems)
  const root = text === undefined ? undefined : readSource(text, limits, problems)
  if (root === undefined) return undefined
  checkStructure(language, root, problems)
  const outline = readOutline(root)
  checkValues(outline, limits, problems)
  const order = checkOrder(outline, problems, warnings)
  checkReferences(outline, order, problems, warnings)
  return outline
}

function readHead(outline: Outline, limits: DocumentLimits): Pipeline | undefined {
  if (outline.name === undefined) return undefined
  const secrets = [...outline.secrets.values()].map((secret) => ({ kind: 'secret' as const, place: secret }))
  const profiles = outline.profile === undefined ? [] : [{ kind: 'profile' as const, place: outline.profile }]
  return {
    name: outline.name.value,
    variables: plain(outline.variables),
    secrets: plain(outline.secrets),
    profile: outline.profile?.value ?? null,
    timeoutMs: millisecondsOf(outline.timeout) ?? limits.defaultRunTimeoutMs,
    checkout: outline.checkout,
    stepCount: outline.steps.length,
    taskCount: outline.steps.reduce((sum, step) => sum + step.tasks.length, 0),
    references: [...profiles, ...secrets].map(({ kind, place }) => {
      const { value, directive, line, column } = place
      return { kind, target: value, directive, line, column }
    }),
  }
}

function defineStep(step: StepOutline, outline: Outline, limits: DocumentLimits): StepDefinition[] {
  if (step.name === undefined) return []
  return [
    {
      name: step.name.value,
      dependsOn: step.dependsOn.map((dependency) => dependency.value),
      condition: step.condition?.value ?? null,
      timeoutMs: millisecondsOf(step.timeout) ?? null,
      ignoreFailure: step.ignoreFailure,
      when: 'success',
      scope: null,
      profile: null,
      tasks: step.tasks.flatMap((task) => defineTask(task, outline, limits)),
    },
  ]
}

function defineTask(task: TaskOutline, outline: Outline, limits: DocumentLimits): TaskDefinition[] {
  if (task.name === undefined || task.action === undefined) return []
  return [
    {
      name: task.name.value,
      dependsOn: task.dependsOn.map((dependency) => dependency.value),
      condition: task.condition?.value ?? null,
      timeoutMs: millisecondsOf(task.timeout) ?? limits.defaultTaskTimeoutMs,
      ignoreFailure: task.ignoreFailure,
      idempotent: task.idempotent,
      retry: {
        attempts: task.retry?.attempts ?? 1,
        backoffMs: millisecondsOf(task.retry?.backoff) ?? 0,
        exitCodes: null,
      },
      env: Object.fromEntries([...task.env].map(([name, { value }]) => [name, parseTemplate(value).template])),
      outputs: Object.fromEntries(task.outputs),
      checkout: task.checkout ?? outline.checkout,
      profile: null,
      container: null,
      matrix: null,
      template: task.name.value,
      artifacts: null,
      needsArtifacts: [],
      cache: null,
      ...task.action,
    },
  ]
}

function plain(values: ReadonlyMap<string, Placed<string>>): Record<string, string> {
  return Object.fromEntries([...values].map(([name, { value }]) => [name, value]))
}
