import type { FaultyFile } from '../fault.ts'

export const runners: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/catalog/runners/actions/change-runner.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ["requirePermission(origin.caller, 'runner.write', seen.teamPath)", 'void 0'],
      ['laterThan(before.updatedAt, means.clock.now())', 'means.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/find-runner.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["prefixes: caller.prefixes('runner.read'),", "prefixes: ['/'],"],
      [
        "return requireVisible(caller, 'runner.read', found, () => unknownRunner(id))",
        'if (!found) throw unknownRunner(id)\n  return found',
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/remove-runner.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ["requirePermission(origin.caller, 'runner.write', seen.teamPath)", 'void 0'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/create-enrollment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'runner.write', teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/enroll-runner.ts',
    tests: ['server/src/rooms/catalog/runners/runners.test.ts'],
    faults: [['await means.audit.record(tx, {', 'void (tx, {']],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/find-enrollment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["const prefixes = caller.prefixes('runner.write')", "const prefixes = ['/']"],
      [
        "return requireVisible(caller, 'runner.write', found, () => unknownEnrollment(id))",
        'if (!found) throw unknownEnrollment(id)\n  return found',
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/runners/actions/revoke-enrollment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [['await means.audit.record(tx, {', 'void (tx, {']],
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
