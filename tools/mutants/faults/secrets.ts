import type { FaultyFile } from '../fault.ts'

export const secrets: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/secrets/actions/get-secret.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "return requireVisible(caller, 'secret.read', secret, () =>",
        "if (secret) return secret\n  return requireVisible(caller, 'secret.read', secret, () =>",
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/get-secret.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('secret.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/get-secret.ts',
    tests: ['server/src/rooms/foundation/secrets/routes.test.ts'],
    faults: [["parsed?.kind !== 'secret' || !isVisibleTo(parsed.teamPath, forTeamPath)", "parsed?.kind !== 'secret'"]],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/read-credential.ts',
    tests: ['server/src/rooms/foundation/secrets/routes.test.ts'],
    faults: [['if (!isVisibleTo(ref.teamPath, forTeamPath)) return missing', '']],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/read-for-run.ts',
    tests: ['server/src/rooms/foundation/secrets/routes.test.ts'],
    faults: [
      [
        'const visible = parsed !== undefined && isVisibleTo(parsed.teamPath, teamPath)',
        'const visible = parsed !== undefined',
      ],
      [
        "if (!isUsableIn({ teamPath: parsed?.teamPath ?? '', environments: stored.environments }, scope)) {",
        'if (false) {',
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/write-secret.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'secret.write', input.teamPath)", 'void 0'],
      ["await means.audit.record(tx, { origin, ...about(row), action: 'secret.created', after: shown(row) })", ''],
      ["await means.audit.record(tx, { origin, ...about(row), action: 'secret.updated', ...states })", 'void states'],
      ['await means.audit.record(tx, {\n      origin,', 'void (tx, {\n      origin,'],
      [
        "await means.audit.record(tx, { origin, ...about(before), action: 'secret.deleted', before: shown(before) })",
        '',
      ],
      ["requirePermission(caller, 'secret.write', seen.teamPath)", 'void 0'],
      ['if (users.length > 0) {', 'if (false) {', ['server/src/rooms/causes/sources/health.test.ts']],
      [
        'checkIfMatch(origin.ifMatch, etagOf(before.version))',
        '',
        ['server/src/rooms/foundation/secrets/routes.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/secrets/store.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "findOne(tx.selectFrom('secrets').select(SECRET).where('id', '=', id).forUpdate())",
        "findOne(tx.selectFrom('secrets').select(SECRET).where('id', '=', id))",
      ],
      ['.forUpdate()\n    .skipLocked()', '\n    .skipLocked()'],
    ],
  },
]
