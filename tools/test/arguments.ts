/** Where test files live; `npm test -- <folder or file>` narrows it. */
export const TEST_ROOTS = ['contracts', 'pipeline', 'server', 'runner', 'cli', 'ui/build', 'tools', 'e2e'] as const

export interface TestArguments {
  /** Given to `node --test` as they are: `--test-name-pattern=...`, `--watch`. */
  readonly flags: readonly string[]
  readonly patterns: readonly string[]
}

/**
 * Splits the words after `npm test --` into node's flags and patterns of files. A folder stands for all tests below
 * it; without any pattern all tests run. A flag that takes a value is written `--flag=value`.
 */
export function readTestArguments(words: readonly string[]): TestArguments {
  const flags = words.filter((word) => word.startsWith('-'))
  const paths = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/^\.\//, '').replace(/\/+$/, ''))
  const wanted = paths.length > 0 ? paths : TEST_ROOTS
  const patterns = wanted.map((path) => (/\.[cm]?[jt]s$|[*?{]/.test(path) ? path : `${path}/**/*.test.ts`))
  return { flags, patterns }
}
