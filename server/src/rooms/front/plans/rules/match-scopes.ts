import { compilePatterns } from '@signalbox/pipeline/patterns'

/** The scopes that one of the lists matches. A list that cannot be read matches none, as with runners. */
export function matchScopes(lists: readonly (readonly string[])[], scopes: readonly string[]): readonly string[] {
  const tests = lists.map(compile)
  return scopes.filter((scope) => tests.some((matches) => matches(scope)))
}

function compile(patterns: readonly string[]): (scope: string) => boolean {
  try {
    return compilePatterns(patterns).matches
  } catch {
    return () => false
  }
}
