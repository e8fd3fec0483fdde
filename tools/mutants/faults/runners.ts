import type { FaultyFile } from '../fault.ts'

export const runners: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/catalog/runners/actions/change-runner.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["prefixes: caller.prefixes('runner.read'),", "prefixes: ['/'],"],
      [
        "if (!caller.can('runner.read', runner?.teamPath ?? '/') || !runner) throw unknownRunner(id)",
        'if (!runner) throw unknownRunner(id)',
      ],
      [
        "await needs.audit.record(tx, {\n      origin,\n      action: 'runner.updated',",
        "void (tx, {\n      origin,\n      action: 'runner.updated',",
      ],
      [
        "await needs.audit.record(tx, {\n      origin,\n      action: 'runner.removed',",
        "void (tx, {\n      origin,\n      action: 'runner.removed',",
      ],
      ["if (!caller.can('runner.write', teamPath)) {", 'if (false) {'],
      ['laterThan(before.updatedAt, kit.clock.now())', 'kit.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/create-enrollment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["if (!origin.caller.can('runner.write', teamPath)) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/enroll-runner.ts',
    tests: ['server/src/rooms/catalog/runners/runners.test.ts'],
    faults: [['await needs.audit.record(tx, {', 'void (tx, {']],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/revoke-enrollment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["prefixes: caller.prefixes('runner.write'),", "prefixes: ['/'],"],
      [
        "if (!caller.can('runner.write', row?.teamPath ?? '/') || !row) throw unknownEnrollment(id)",
        'if (!row) throw unknownEnrollment(id)',
      ],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/store/enrollments.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [['.forUpdate()', '']],
  },
  {
    file: 'server/src/rooms/catalog/runners/store/runners.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [['.forUpdate()', '']],
  },
]
