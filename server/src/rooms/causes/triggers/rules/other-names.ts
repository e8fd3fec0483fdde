import { compilePatterns, type Effort } from '@signalbox/pipeline/patterns'
import type { CompiledTrigger } from './compile-trigger.ts'
import { foldName } from './fold-name.ts'

/** The names of one repository that was renamed or moved. */
export interface OtherNames {
  /** By which its provider calls it now. */
  readonly current: string
  /** By which its source told of it as well, other than the one of the event. */
  readonly others: readonly string[]
}

/**
 * The other name of a repository by which a trigger names it. A pattern names no repository: what is called `acme/*` is
 * about names, and a repository that left it is out. So is one that the trigger takes out by its present name.
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

/** What is to be changed where a trigger names a repository by a name that it has no more. */
export function describeOtherName(named: string, current: string): string {
  if (foldName(named) === foldName(current)) return `The event names the repository as it was called before ${current}.`
  return `The repository was ${named} before it was renamed or moved: change the trigger to ${current}.`
}
