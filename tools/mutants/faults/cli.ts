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
    file: 'cli/src/client/links.ts',
    tests: ['cli/src/client/links.test.ts'],
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
