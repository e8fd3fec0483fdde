import type { FaultyFile } from '../fault.ts'

export const cli: readonly FaultyFile[] = [
  {
    file: 'cli/src/client/client.ts',
    tests: ['cli/src/client/client.test.ts'],
    faults: [
      [
        'if (address.origin !== new URL(this.url).origin) throw new Unreachable(`${address.origin} is not ${this.url}.`)',
        '',
      ],
      [
        "const retries = method === 'GET' ? (this.#options.retries ?? 4) : 0",
        'const retries = this.#options.retries ?? 4',
      ],
      ["        signal,\n        redirect: 'error',", '        signal,'],
    ],
  },
  {
    file: 'cli/src/client/operations.ts',
    tests: ['cli/src/client/client.test.ts'],
    faults: [['if (shapes.some((shape) => isOfKind(shape, body))) return', 'return']],
  },
  {
    file: 'contracts/src/http/requests.ts',
    tests: ['cli/src/client/client.test.ts'],
    faults: [
      ["if (value !== '' && value !== '.' && value !== '..') return", 'return'],
      ['return encodeURIComponent(value)', 'return value'],
    ],
  },
  {
    file: 'contracts/src/http/links.ts',
    tests: ['contracts/src/http/links.test.ts'],
    faults: [['if (/;\\s*rel="?next"?\\s*(;|$)/i.test(match[2] ?? \'\')) return match[1]', 'return match[1]']],
  },
  {
    file: 'cli/src/config/connection.ts',
    tests: ['cli/src/config/config.test.ts'],
    faults: [
      ['local && sameOrigin(local.url, url) ? findBootstrapToken', 'local ? findBootstrapToken'],
      ['return profile && sameOrigin(profile.url, url) ? profile.token : undefined', 'return profile?.token'],
    ],
  },
  {
    file: 'cli/src/commands/confirm.ts',
    tests: ['cli/src/commands/resource.test.ts'],
    faults: [
      ['if (!surroundings.stdinIsTerminal) {', 'if (false) {'],
      ["if (answer !== 'yes' && answer !== 'y') throw", 'if (false) throw'],
    ],
  },
  {
    file: 'cli/src/commands/context.ts',
    tests: ['cli/src/commands/resource.test.ts'],
    faults: [['this.paintError(tone, escapeText(line))', 'this.paintError(tone, line)']],
  },
  {
    file: 'cli/src/commands/resource.ts',
    tests: ['cli/src/commands/resource.test.ts'],
    faults: [
      ['  if (another) {', '  if (false) {'],
      ['await confirm(context, `Delete the ${resource.noun} ${given}`, options, loss)', ''],
    ],
  },
  {
    file: 'cli/src/config/private-file.ts',
    tests: ['cli/src/commands/api-options.test.ts'],
    faults: [
      ['const OTHERS = 0o077', 'const OTHERS = 0o007'],
      ['const OTHERS = 0o077', 'const OTHERS = 0'],
      ['if (/^[\\x21-\\x7e]+$/.test(token)) return token', 'return token'],
    ],
  },
  {
    file: 'cli/src/output/json.ts',
    tests: ['cli/src/commands/resource.test.ts'],
    faults: [
      [
        "return text.replace(UNSAFE, (character) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)",
        'return text',
      ],
    ],
  },
  {
    file: 'cli/src/output/new-file.ts',
    tests: ['cli/src/commands/run-logs.test.ts'],
    faults: [['if (found === undefined || found.isFile()) return', 'return']],
  },
  {
    file: 'cli/src/config/profile.ts',
    tests: ['cli/src/config/config.test.ts'],
    faults: [['{ mode: 0o600 })\n  chmodSync(fresh, 0o600)', '{})']],
  },
  {
    file: 'cli/src/exit-codes.ts',
    tests: ['cli/src/exit-codes.test.ts'],
    faults: [["return exitCode(failOnWarning ? 'runWarning' : 'success')", "return exitCode('success')"]],
  },
  {
    file: 'cli/src/output/escape.ts',
    tests: ['cli/src/output/escape.test.ts'],
    faults: [
      ['return text.replace(UNSAFE, show)', 'return text'],
      ["if (!colours) return shown.replace(SEQUENCE, '').replace(UNSAFE_BUT_TAB, show)", 'if (!colours) return shown'],
    ],
  },
]
