import { shorten } from './shorten.ts'

/** Where something stands in the document; line and column count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** One thing that is wrong. `directive` is a path by names, such as `steps.deploy.tasks.ship.env.COVERAGE`. */
export interface Problem extends Position {
  /** Stable, such as `unknown_directive`. */
  readonly code: ProblemCode
  readonly directive: string
  /** The problem, and the right text instead. */
  readonly message: string
}

export type ProblemCode =
  | 'too_large'
  | 'not_text'
  | 'yaml_syntax'
  | 'yaml_feature'
  | 'too_deep'
  | 'alias_expansion'
  | 'duplicate_key'
  | 'too_many_steps'
  | 'too_many_tasks'
  | 'too_many_problems'
  | 'unknown_directive'
  | 'missing_directive'
  | 'wrong_type'
  | 'invalid_value'
  | 'invalid_name'
  | 'duplicate_name'
  | 'unknown_dependency'
  | 'dependency_cycle'
  | 'duplicate_dependency'
  | 'shared_at_once'
  | 'invalid_reference'
  | 'unknown_output'
  | 'unordered_reference'
  | 'sensitive_condition'
  | 'invalid_expression'
  | 'name_conflict'
  | 'reference_in_script'
  | 'conflicting_directives'
  | 'invalid_matrix'
  | 'unknown_axis'
  | 'too_many_combinations'
  | 'invalid_template'
  | 'unknown_artifacts'
  | 'sensitive_final_output'
  | 'may_not_have_run'
  | 'without_effect'

/** A longer list helps no reader, and a hostile document could hold 50,000. */
const MOST_PROBLEMS = 500

/** Gathers problems and warnings of one document, each once, and gives them in the order of the text. */
export class ProblemList {
  readonly #problems: Problem[] = []
  readonly #seen = new Set<string>()
  #dropped = 0

  get isEmpty(): boolean {
    return this.#problems.length === 0
  }

  add(code: ProblemCode, directive: string, position: Position, message: string): void {
    const key = `${code} ${position.line}:${position.column} ${message}`
    if (this.#seen.has(key)) return
    if (this.#problems.length === MOST_PROBLEMS) {
      this.#dropped++
      return
    }
    this.#seen.add(key)
    const { line, column } = position
    // A name in the document may be 200 KB long; a message about it may not.
    this.#problems.push({ code, directive: shorten(directive, 400), line, column, message: shorten(message, 1_000) })
  }

  list(): Problem[] {
    const sorted = this.#problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
    const last = sorted.at(-1)
    if (this.#dropped === 0 || last === undefined) return sorted
    const message = `there are ${this.#dropped} further problems; correct these ${MOST_PROBLEMS} first`
    return [...sorted, { code: 'too_many_problems', directive: '', line: last.line, column: last.column, message }]
  }
}
