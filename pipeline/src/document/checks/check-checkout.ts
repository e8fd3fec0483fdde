import type { CheckoutOutline, Outline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'

/** Options of a checkout that cannot be meant together. */
export function checkCheckouts(outline: Outline, problems: ProblemList): void {
  checkCheckout(outline.checkout, problems)
  for (const step of outline.steps) for (const task of step.tasks) checkCheckout(task.checkout, problems)
}

function checkCheckout(checkout: CheckoutOutline | undefined, problems: ProblemList): void {
  if (typeof checkout !== 'object') return
  const { depth, merge } = checkout
  if (!merge || depth === undefined || depth.value === 0) return
  const message = `\`merge\` needs the whole history, and not ${depth.value} of its commits: leave \`depth\` out, or write 0`
  problems.add('invalid_value', depth.directive, depth, message)
}
