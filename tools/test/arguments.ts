/** Where test files live; `npm test -- <folder or file>` narrows it. */
export const TEST_ROOTS = [
  'contracts',
  'pipeline',
  'server',
  'runner',
  'cli',
  'build',
  'ui/build',
  'tools',
  'e2e',
] as const

/** The tests of the page, which Vitest runs: its modules are not for Node. */
const PAGE = 'ui'

export interface TestArguments {
  /** Given to `node --test` as they are: `--test-name-pattern=...`, `--watch`. */
  readonly flags: readonly string[]
  readonly patterns: readonly string[]
  /** What Vitest is asked to run, relative to `ui/`; undefined: nothing. */
  readonly page: readonly string[] | undefined
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
  const ofPage = paths.filter((path) => path === PAGE || path.startsWith(`${PAGE}/src`))
  // `ui` itself has the build of the page besides, which is of Node.
  const ofNode = paths.map((path) => (path === PAGE ? `${PAGE}/build` : path)).filter((path) => !ofPage.includes(path))
  const wanted = paths.length > 0 ? ofNode : TEST_ROOTS
  const patterns = wanted.map((path) => (/\.[cm]?[jt]s$|[*?{]/.test(path) ? path : `${path}/**/*.test.ts`))
  const isPageAsked = paths.length === 0 || ofPage.length > 0
  return { flags, patterns, page: isPageAsked ? ofPage.map((path) => path.slice(PAGE.length + 1)) : undefined }
}
