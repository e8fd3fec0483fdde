import { compilePatterns, type Effort } from '@signalbox/pipeline/patterns'
import type { CompiledTrigger } from './compile-trigger.ts'
import { foldName } from './fold-name.ts'

/** The names of one repository that was renamed or moved. */
export interface OtherNames {
  /** The name that the provider uses now. */
  readonly current: string
  /** The other names under which the source sent events of the repository. */
  readonly others: readonly string[]
}

/**
 * The other name of a repository by which a trigger names it. Patterns such as `acme/*` do not count, because they are about
 * names: a repository that moved away no longer fits. A trigger that excludes the present name does not match either.
 */
export function findOtherName(
  { trigger, repositories }: CompiledTrigger,
  fullName: string,
  others: readonly string[],
  effort: Effort,
): string | undefined {
  const named = new Set(trigger.repositories.map(foldName))
  const found = others.find((name) => named.has(foldName(name)) && repositories?.matches(name, effort))
  if (found === undefined) return undefined
  const exclusions = trigger.repositories.filter((pattern) => pattern.startsWith('!'))
  const spares = compilePatterns(['**', ...exclusions], { caseInsensitive: true }).matches(fullName, effort)
  return spares ? found : undefined
}

/** The advice for a trigger that names a repository by a former name. */
export function describeOtherName(named: string, current: string): string {
  if (foldName(named) === foldName(current)) return `The event names the repository as it was called before ${current}.`
  return `The repository was ${named} before it was renamed or moved: change the trigger to ${current}.`
}
