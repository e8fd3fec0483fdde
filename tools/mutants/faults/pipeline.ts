import type { FaultyFile } from '../fault.ts'

export const pipeline: readonly FaultyFile[] = [
  {
    file: 'pipeline/src/status/attempts.ts',
    tests: [
      'pipeline/src/status/engine.test.ts',
      'pipeline/src/status/losses.test.ts',
      'pipeline/src/status/life-of-a-run.test.ts',
      'pipeline/src/status/reuse.test.ts',
      'pipeline/src/status/attempts.test.ts',
    ],
    faults: [
      ['if (tries >= attempts) return false', ''],
      [' && event.notBegun === true && handedBack < MOST_HANDED_BACK', ' && handedBack < MOST_HANDED_BACK'],
      [' && event.notBegun === true && handedBack < MOST_HANDED_BACK', ' && event.notBegun === true'],
      ['const tries = event.attempt - handedBack', 'const tries = event.attempt'],
      ["if (poisoned) return { type: 'complete', fields: { status: 'failure', reason, exitCode, blocks: true } }", ''],
      ['sensitive: sensitive || found.includes(name)', 'sensitive'],
      ['sensitive: sensitive || output.sensitive', 'sensitive'],
      ['task.idempotent ? IDEMPOTENT_ATTEMPTS : 1', 'IDEMPOTENT_ATTEMPTS'],
      [
        'return Math.min(task.retry.backoffMs * 2 ** (tries - 1), LONGEST_BACKOFF_MS)',
        'return task.retry.backoffMs * 2 ** (tries - 1)',
      ],
    ],
  },
  {
    file: 'pipeline/src/status/conditions.ts',
    tests: [
      'pipeline/src/status/when.test.ts',
      'pipeline/src/status/engine.test.ts',
      'pipeline/src/status/life-of-a-run.test.ts',
    ],
    faults: [['if (!output.sensitive) outputs[name] = output.value', 'outputs[name] = output.value']],
  },
]
