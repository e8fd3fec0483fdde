import type { FaultyFile } from '../fault.ts'

export const overrides: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/overrides/actions/check-target.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["const visible = caller.can('pipeline.read', found?.teamPath ?? '/')", 'const visible = true']],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/delete-override.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [['await needs.audit.record(tx, {', 'void (tx, {']],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/find-override.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('override.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/put-override.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [['await needs.audit.record(tx, {', 'void (tx, {']],
  },
]
