/** One thing that is checked, as a command; `bin` is a path below node_modules, or `node`. */
export interface Step {
  readonly name: string
  readonly bin: string
  readonly words: readonly string[]
}

/** The steps that `npm run check` runs. The order is the order of starting: the long ones first. */
export const CHECKS: readonly Step[] = [
  { name: 'generated', bin: 'node', words: ['tools/generate/run.ts', '--check'] },
  { name: 'dead code', bin: '.bin/knip', words: ['--no-progress'] },
  { name: 'types', bin: '@typescript/native/bin/tsc', words: ['-p', 'tsconfig.json'] },
  { name: 'page types', bin: '@typescript/native/bin/tsc', words: ['-p', 'ui/tsconfig.json'] },
  {
    name: 'lint',
    bin: '.bin/oxlint',
    words: ['--disable-nested-config', '--report-unused-disable-directives-severity=error'],
  },
  { name: 'format', bin: '.bin/biome', words: ['check', '--error-on-warnings', '.'] },
  { name: 'faults', bin: 'node', words: ['tools/mutants/run.ts', '--check'] },
]

/** The steps that `npm run fix` runs, one after the other: each may change the input of the next. */
export const FIXES: readonly Step[] = [
  { name: 'generate', bin: 'node', words: ['tools/generate/run.ts'] },
  { name: 'lint', bin: '.bin/oxlint', words: ['--disable-nested-config', '--fix'] },
  { name: 'format', bin: '.bin/biome', words: ['check', '--write', '.'] },
]
