import type { FaultyFile } from '../fault.ts'

export const audit: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/audit/actions/list-audit.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('audit.read'),", "prefixes: ['/'],"]],
  },
]
