import { type CelList, type CelValue, isCelList, isCelMap } from '@bufbuild/cel'
import { EXPRESSION_LIMITS } from './limits.ts'

/**
 * The cost that expressions may still have together; one step is about as much work as visiting one part of an
 * expression.
 */
export interface Budget {
  readonly steps: number
  /** Below zero: it is spent. */
  left: number
}

export function createBudget(steps: number = EXPRESSION_LIMITS.cost): Budget {
  return { steps, left: steps }
}

/** Evaluation is synchronous, so that one meter serves all plans. */
let current: Budget = createBudget(0)

/** Runs an evaluation at the expense of a budget. */
export function spendFrom<T>(budget: Budget, work: () => T): T {
  const before = current
  current = budget
  try {
    return work()
  } finally {
    current = before
  }
}

/** Throws where the budget is spent; from then on every further step of this evaluation throws as well. */
export function spend(cost: number): void {
  current.left -= cost
  if (current.left < 0) throw new Error(`it takes more than ${current.steps} steps: let it look at less`)
}

/** The cost of a call beyond its own part of the expression: reading its operands. */
export type Price = (operands: readonly CelValue[]) => number

/** How many characters are read for one step, measured on the slowest of each kind. */
const COMPARED = 128
const SEARCHED = 32
const SEARCHED_AGAIN = 1_024
const COPIED = 64
const ENCODED = 16
const COUNTED = 12
const PARSED = 2
const MATCHED = 256

/** Prices by name of the function or operator; missing ones read nothing large. */
export const PRICES: ReadonlyMap<string, Price> = new Map<string, Price>([
  ['_==_', ([left, right]) => equality(left, right)],
  ['_!=_', ([left, right]) => equality(left, right)],
  ['@in', ([value, list]) => (isCelList(list) ? membership(value, list) : 0)],
  ['_<_', compared],
  ['_<=_', compared],
  ['_>_', compared],
  ['_>=_', compared],
  ['_+_', (operands) => total(operands) / COPIED],
  ['startsWith', compared],
  ['endsWith', compared],
  ['contains', ([text, part]) => lengthOf(text) / SEARCHED + (lengthOf(text) * lengthOf(part)) / SEARCHED_AGAIN],
  ['matches', ([text, pattern]) => matching(text, pattern)],
  ['size', ([text]) => (typeof text === 'string' ? text.length / COUNTED : 0)],
  ['bytes', (operands) => total(operands) / ENCODED],
  ['string', (operands) => total(operands) / ENCODED],
  ...['int', 'uint', 'double', 'bool', 'timestamp', 'duration'].map((name): [string, Price] => [
    name,
    (operands) => total(operands) / PARSED,
  ]),
])

/** One round of a macro whose condition and step have so many parts. */
export function priceOfRound(parts: number): number {
  return parts + 3
}

/** A list that is about to be walked is copied first, whatever becomes of it. */
export function priceOfWalk(list: CelValue): number {
  return isCelList(list) || isCelMap(list) ? list.size / 2 : 0
}

function compared(operands: readonly CelValue[]): number {
  return total(operands) / COMPARED
}

function total(operands: readonly CelValue[]): number {
  return operands.reduce((sum: number, operand) => sum + lengthOf(operand), 0)
}

function lengthOf(value: CelValue | undefined): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length
  return isCelList(value) ? value.size : 0
}

function equality(left: CelValue | undefined, right: CelValue | undefined): number {
  if (isCelList(left)) return isCelList(right) && left.size === right.size ? weigh(left) : 0
  if (isCelMap(left)) return isCelMap(right) && left.size === right.size ? weigh(left) : 0
  return Math.min(lengthOf(left), lengthOf(right)) / COMPARED
}

function membership(value: CelValue | undefined, list: CelList): number {
  if (isCelList(value) || isCelMap(value)) return weigh(list)
  return list.size + (list.size * lengthOf(value)) / 4_096
}

/** All that lies in a value. Weighing is work as well, so that it ends where the budget does. */
function weigh(whole: CelValue): number {
  let cost = 0
  const pending: CelValue[] = [whole]
  for (let value = pending.pop(); value !== undefined && cost <= current.left; value = pending.pop()) {
    cost += 1 + (isCelList(value) ? 0 : lengthOf(value) / COMPARED)
    if (isCelList(value)) for (const item of value) pending.push(item)
    else if (isCelMap(value)) for (const [, item] of value) pending.push(item)
  }
  return cost
}

const MOST_REPEATED = 1_000

/** A pattern becomes a program whose length its counted repetitions multiply; at worst all of it is run per character. */
function matching(text: CelValue | undefined, pattern: CelValue | undefined): number {
  if (typeof text !== 'string' || typeof pattern !== 'string') return 0
  let repeated = 1
  for (const [, from = '', to = ''] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) {
    repeated = Math.min(MOST_REPEATED, repeated * Math.max(1, Number(from), Number(to)))
  }
  const program = pattern.length * repeated
  return program * 2 + (text.length * program) / MATCHED
}
