import type { Marks } from '../house/marks.ts'

/** What runs while things go wrong. Each task marks its work, with the time and the fence. */
export interface Documents {
  readonly mixed: string
  readonly quick: string
  readonly failing: string
  readonly gated: string
}

export function writeDocuments({ shell }: Marks, teamPath: string): Documents {
  // Numbered lines, a secret in each: the stored log is whole, in order, and shows no secret.
  const count = (lines: number, seconds: string): string =>
    [
      shell,
      'mark begin',
      'i=0',
      `while [ $i -lt ${lines} ]; do echo "line $i $TOKEN"; mark work; i=$((i+1)); sleep ${seconds}; done`,
      'mark end',
    ].join('\n')
  const task = (name: string, more: string, script: string): string =>
    `      - name: ${name}\n${more}        run: |\n${indent(script, 10)}\n`
  const head = (name: string): string =>
    `name: ${name}\ncheckout: false\nsecrets: { TOKEN: ${teamPath}/token }\nsteps:\n`
  return {
    quick: `${head('quick')}  - name: only\n    tasks:\n${task('one', '', count(5, '0.05'))}`,
    mixed: [
      head('mixed'),
      '  - name: first\n    tasks:\n',
      task('again', '        idempotent: true\n', count(16, '0.25')),
      task('once', '', count(8, '0.25')),
      '  - name: second\n    depends_on: [first]\n    tasks:\n',
      task(
        'flaky',
        '        retry: { attempts: 3, backoff: 1s }\n',
        `${count(3, '0.1')}\ntest "$SIGNALBOX_ATTEMPT" -gt 1`,
      ),
    ].join(''),
    failing: [
      head('failing'),
      '  - name: first\n    tasks:\n',
      task('bad', '        ignore_failure: true\n', `${count(3, '0.1')}\nexit 3`),
      '  - name: second\n    depends_on: [first]\n    tasks:\n',
      task('worse', '', `${count(2, '0.1')}\nexit 4`),
    ].join(''),
    gated: [
      head('gated'),
      '  - name: before\n    tasks:\n',
      task('one', '', count(2, '0.1')),
      '  - name: gate\n    depends_on: [before]\n',
      '    approval: { approvers: [role:operator], allow_self: true, timeout: 1h }\n',
      '  - name: behind\n    depends_on: [gate]\n    tasks:\n',
      task('two', '        idempotent: true\n', count(2, '0.1')),
    ].join(''),
  }
}

function indent(text: string, by: number): string {
  return text
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`)
    .join('\n')
}
