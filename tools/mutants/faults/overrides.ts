import type { FaultyFile } from '../fault.ts'

export const overrides: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/events/rules/override-match.ts',
    tests: ['server/src/rooms/causes/events/rules/override-match.test.ts'],
    faults: [
      ["['pull_request', ['opened', 'reopened', 'synchronized']],", "['pull_request', ['opened', 'synchronized']],"],
    ],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/check-target.ts',
    tests: ['server/src/rooms/causes/overrides/overrides.test.ts'],
    faults: [
      [
        'if (caller.can(permission, target.teamPath)) continue',
        'continue',
        ['server/src/rooms/causes/overrides/actions/check-target.test.ts'],
      ],
      [
        "if ((await means.access.judgeScope(caller, target.scope)) !== 'usable') {",
        'if (false) {',
        ['server/src/rooms/causes/overrides/actions/check-target.test.ts'],
      ],
      ["if (scope !== undefined && (await means.access.judgeScope(caller, scope)) === 'unknown') {", 'if (false) {'],
      ["const visible = caller.can('pipeline.read', found?.teamPath ?? '/')", 'const visible = true'],
      ['if (caller.can(permission, target.teamPath)) continue', 'continue'],
      [
        "for (const permission of ['override.write', 'run.start'] as const) {",
        "for (const permission of ['override.write']) {",
        ['server/src/rooms/causes/overrides/actions/check-target.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/delete-override.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      [
        "requirePermission(caller, 'override.write', before.teamPath)",
        'void 0',
        ['server/src/rooms/causes/overrides/overrides.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/find-override.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "  return caller.can('override.read', override.teamPath)",
        "  return caller.can('override.read', override.teamPath) || true",
        ['server/src/rooms/causes/overrides/squatting.test.ts', 'server/src/routes.test.ts'],
      ],
      [
        "canWrite: (override) => caller.can('override.write', override.teamPath),",
        'canWrite: () => true,',
        ['server/src/rooms/causes/overrides/squatting.test.ts', 'server/src/routes.test.ts'],
      ],
      ["prefixes: caller.prefixes('override.read'),", "prefixes: ['/'],"],
      [
        "return caller.can('override.read', override.teamPath)",
        'return true',
        ['server/src/rooms/causes/overrides/overrides.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/put-override.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ['laterThan(before.updatedAt, wanted.updatedAt)', 'wanted.updatedAt', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/causes/overrides/store.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [['await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)', '']],
  },
]
