import type { Graph } from '../graph/index.ts'
import {
  checkApprovals,
  checkCheckouts,
  checkGroup,
  checkKinds,
  checkMatrix,
  checkNames,
  checkOrder,
  checkReferences,
  checkRegistries,
  checkTexts,
  checkValues,
  checkWorkspaces,
} from './checks/index.ts'
import { defineGraph, defineHead, externalReferences } from './compile/index.ts'
import { DEFAULT_LIMITS, type DocumentLimits } from './limits.ts'
import type { Layout } from './matrix/index.ts'
import { type Outline, readOutline } from './outline/index.ts'
import type { ExternalReference, Pipeline } from './pipeline.ts'
import { type Position, type Problem, ProblemList } from './problem.ts'
import { readSource } from './read-source.ts'
import { readText } from './read-text.ts'
import { PipelineSchema, StepSchema, TaskSchema } from './schema/index.ts'
import { checkStructure, type DocumentLanguage } from './structure.ts'
import { describeUnknown } from './suggestion.ts'

export type ParseResult =
  | { readonly ok: true; readonly pipeline: Pipeline; readonly graph: Graph; readonly warnings: readonly Problem[] }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      readonly warnings: readonly Problem[]
      /** Null where it has none that can be read. */
      readonly name: string | null
      /** Well-written references, so that the caller can say at once which of them do not exist. */
      readonly references: readonly ExternalReference[]
    }

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
  const applied = { ...DEFAULT_LIMITS, ...limits }
  const problems = new ProblemList()
  const warnings = new ProblemList()
  const checked = check(input, applied, problems, warnings)
  if (checked === undefined) {
    return { ok: false, problems: problems.list(), warnings: warnings.list(), name: null, references: [] }
  }
  const { outline, layout } = checked
  if (problems.isEmpty) {
    const pipeline = defineHead(outline, layout, applied)
    const graph = pipeline && defineGraph(pipeline, { outline, layout, limits: applied }, problems)
    if (pipeline !== undefined && graph !== undefined) return { ok: true, pipeline, graph, warnings: warnings.list() }
  }
  const found = problems.list()
  const references = wellWritten(externalReferences(outline), found)
  return { ok: false, problems: found, warnings: warnings.list(), name: outline.name?.value ?? null, references }
}

/** A target that is no path at all is told once, by the schema, and not looked up. */
function wellWritten(references: readonly ExternalReference[], problems: readonly Problem[]): ExternalReference[] {
  const placeOf = ({ line, column }: Position): string => `${line}:${column}`
  const malformed = new Set(problems.filter(({ code }) => code === 'invalid_value').map(placeOf))
  return references.filter((reference) => !malformed.has(placeOf(reference)))
}

function check(
  input: string | Uint8Array,
  limits: DocumentLimits,
  problems: ProblemList,
  warnings: ProblemList,
): { readonly outline: Outline; readonly layout: Layout } | undefined {
  const text = readText(input, limits, problems)
  const root = text === undefined ? undefined : readSource(text, limits, problems)
  if (root === undefined) return undefined
  checkStructure(language, root, problems)
  const outline = readOutline(root)
  const layout = checkMatrix(outline, problems)
  const bounded = checkValues(outline, layout, limits, problems)
  checkKinds(outline, problems, warnings)
  checkApprovals(outline, problems, warnings)
  checkCheckouts(outline, problems)
  checkGroup(outline, problems)
  checkNames(outline, problems)
  const order = checkOrder(outline, layout, problems, warnings)
  checkWorkspaces(outline, order, problems)
  // Each instance is looked at: more of them than are allowed are not worth it.
  if (bounded) {
    checkTexts(layout, problems, warnings)
    checkRegistries(layout, problems)
    checkReferences(outline, layout, order, { problems, warnings })
  }
  return { outline, layout }
}
