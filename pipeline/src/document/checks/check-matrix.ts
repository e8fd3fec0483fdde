import { type CombinationValues, expandMatrix, instanceName, Layout, sizeOf, type Values } from '../matrix/index.ts'
import type { MatrixOutline, Outline, Placed, StepOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import { nearest } from '../suggestion.ts'

const MOST_COMBINATIONS = 256
/** The limit before exclusion: all combinations have to be written out to find the remaining ones. */
const LARGEST_PRODUCT = 1_024
/** The limit of all matrices together: each entry of an exclude is compared with all of a matrix. */
const LARGEST_TOTAL = 16_384

/** Writes out every matrix and names its instances; what cannot be written out is reported and left as if it were not. */
export function checkMatrix(outline: Outline, problems: ProblemList): Layout {
  const combinations = new Map<StepOutline, readonly CombinationValues[] | null>()
  let total = 0
  for (const { matrix } of outline.steps) {
    const size = matrix === undefined ? 0 : sizeOf(matrix.axes)
    if (matrix !== undefined && size <= LARGEST_PRODUCT && (total += size) > LARGEST_TOTAL) {
      const message = `the matrices up to this one have ${total} combinations before any is excluded; at most ${LARGEST_TOTAL} are allowed: remove values, or split the pipeline`
      problems.add('too_many_combinations', matrix.directive, matrix, message)
      break
    }
  }
  for (const step of outline.steps) {
    const { matrix } = step
    combinations.set(step, matrix === undefined || total > LARGEST_TOTAL ? null : combine(matrix, problems))
  }
  const layout = new Layout(outline, combinations)
  for (const step of outline.steps) {
    const made = combinations.get(step) ?? null
    if (step.matrix !== undefined && made !== null) checkNames(step, step.matrix, made, problems)
  }
  return layout
}

function combine(matrix: MatrixOutline, problems: ProblemList): readonly CombinationValues[] | null {
  checkAxes(matrix, problems)
  const axes = new Map([...matrix.axes].map(([axis, values]) => [axis, values.map(valueOf)]))
  const size = sizeOf(axes)
  if (
    size > LARGEST_PRODUCT ||
    matrix.include.length > MOST_COMBINATIONS ||
    matrix.exclude.length > MOST_COMBINATIONS
  ) {
    if (size > LARGEST_PRODUCT) reportTooMany(matrix, size, problems)
    return null
  }
  const made = expandMatrix({ axes, include: matrix.include.map(valuesOf), exclude: matrix.exclude.map(valuesOf) })
  if (made.length > MOST_COMBINATIONS) {
    reportTooMany(matrix, made.length, problems)
    return null
  }
  if (made.length === 0) {
    const message =
      size === 0
        ? 'the matrix has no values: write an axis with its values, such as node: ["22", "24"]'
        : 'nothing is left of the matrix, for its exclude leaves out every combination: remove an entry'
    problems.add('invalid_matrix', matrix.directive, matrix, message)
    return null
  }
  const everyAxis = [...new Set(made.flatMap((values) => [...values.keys()]))]
  return made.map((own) => ({ own, values: Object.fromEntries(everyAxis.map((axis) => [axis, own.get(axis) ?? ''])) }))
}

function checkAxes(matrix: MatrixOutline, problems: ProblemList): void {
  const names = [...matrix.axes.keys()]
  for (const entry of matrix.exclude) {
    if (entry.values.size === 0) {
      problems.add('invalid_matrix', entry.directive, entry, 'an empty entry excludes nothing: write axes and values')
    }
    for (const [axis, value] of entry.values) {
      const values = matrix.axes.get(axis)?.map(valueOf)
      if (values === undefined) {
        const near = nearest(axis, names)
        const instead = near === undefined ? `it has ${names.join(', ')}` : `did you mean \`${near}\`?`
        problems.add('unknown_axis', value.directive, value, `the matrix has no axis \`${axis}\`; ${instead}`)
      } else if (!values.includes(value.value)) {
        const message = `the axis \`${axis}\` has no value ${JSON.stringify(value.value)}, so that this excludes nothing; it has ${values.slice(0, 10).join(', ')}`
        problems.add('invalid_matrix', value.directive, value, message)
      }
    }
  }
  for (const entry of matrix.include) {
    if (entry.values.size > 0) continue
    problems.add('invalid_matrix', entry.directive, entry, 'an empty entry includes nothing: write axes and values')
  }
}

/** Names of instances and of their variables must be told apart. */
function checkNames(
  step: StepOutline,
  matrix: MatrixOutline,
  combinations: readonly CombinationValues[],
  problems: ProblemList,
): void {
  const variables = new Map<string, string>()
  for (const axis of Object.keys(combinations[0]?.values ?? {})) {
    const variable = matrixVariable(axis)
    const earlier = variables.get(variable)
    if (earlier !== undefined) {
      const message = `\`${earlier}\` and \`${axis}\` would both be ${variable} in the environment: rename one`
      problems.add('name_conflict', matrix.directive, matrix, message)
    }
    variables.set(variable, axis)
  }
  const taken = new Map<string, string>()
  for (const task of step.tasks) if (task.name !== undefined) taken.set(task.name.value, 'the name of a task')
  const seen = new Set<string>()
  for (const task of step.tasks) {
    for (const name of task.env.keys()) {
      if (!variables.has(name)) continue
      const message = `${name} is set by the matrix: give this one another name`
      problems.add('name_conflict', `${task.directive}.env.${name}`, task.env.get(name) ?? task, message)
    }
    if (task.name === undefined || seen.has(task.name.value)) continue
    seen.add(task.name.value)
    for (const { own } of combinations) {
      const name = instanceName(task.name.value, own)
      const other = taken.get(name)
      const description = `${task.name.value} with ${describe(own)}`
      if (other === undefined) taken.set(name, description)
      else {
        const message = `${description} would be called \`${name}\`, but so is ${other}: change a value so that letters or digits differ`
        problems.add('name_conflict', matrix.directive, matrix, message)
      }
    }
  }
}

/** `node-version` is MATRIX_NODE_VERSION in the environment. */
export function matrixVariable(axis: string): string {
  return `MATRIX_${axis.replaceAll('-', '_').toUpperCase()}`
}

function describe(values: Values): string {
  return [...values].map(([axis, value]) => `${axis} ${JSON.stringify(value)}`).join(', ')
}

function reportTooMany(matrix: MatrixOutline, count: number, problems: ProblemList): void {
  const message = `the matrix has ${count} combinations; at most ${MOST_COMBINATIONS} are allowed: remove values, or split the step`
  problems.add('too_many_combinations', matrix.directive, matrix, message)
}

function valueOf(placed: Placed<string>): string {
  return placed.value
}

function valuesOf(entry: MatrixOutline['include'][number]): Values {
  return new Map([...entry.values].map(([axis, { value }]) => [axis, value]))
}
