import { compilePatterns, type Effort, type PatternProblem, validatePatterns } from '@signalbox/pipeline/patterns'

/** The decision of a list of patterns about the labels of a pull request. */
export interface LabelDecision {
  readonly passed: boolean
  /** The label that was taken out, or the first that was taken in. */
  readonly label: string | null
  /** The pattern that decided over it. */
  readonly decidedBy: string | null
}

export type LabelList = (labels: readonly string[], effort: Effort) => LabelDecision

/**
 * Each label is decided by the last pattern that fits it. The list says yes when some label is taken in and none is taken
 * out. A list of exclusions alone asks for nothing: it says yes, also to no labels at all, unless one is taken out. As
 * providers do, it makes no difference between capitals and small letters.
 */
export function compileLabels(patterns: readonly string[]): LabelList {
  const list = compilePatterns(patterns, { caseInsensitive: true })
  const asks = patterns.some((pattern) => !pattern.startsWith('!'))
  return (labels, effort) => {
    let first: LabelDecision | undefined
    for (const label of labels) {
      const { matched, decidedBy } = list.decide(label, effort)
      if (decidedBy === null) continue
      if (!matched) return { passed: false, label, decidedBy }
      first ??= { passed: true, label, decidedBy }
    }
    if (effort.left < 0) return { passed: false, label: null, decidedBy: null }
    return first ?? { passed: !asks, label: null, decidedBy: null }
  }
}

/** Unlike in other lists, exclusions alone mean something. */
export function validateLabels(patterns: readonly string[]): readonly PatternProblem[] {
  return validatePatterns(patterns).filter(({ index }) => index !== null)
}
