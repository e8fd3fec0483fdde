import type { FaultyFile } from '../fault.ts'

export const secrets: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/secrets/actions/get-secret.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["const visible = caller.can('secret.read', secret?.teamPath ?? '/')", 'const visible = true']],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/list-secrets.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('secret.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/foundation/secrets/actions/list-versions.ts',
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
      ['requireWriter(origin.caller, input.teamPath)', ''],
      ["await record(needs, tx, origin, 'secret.created', undefined, row)", ''],
      ["await record(needs, tx, origin, 'secret.updated', before, row)", ''],
      ['await needs.audit.record(tx, {\n      origin,', 'void (tx, {\n      origin,'],
      ["await record(needs, tx, origin, 'secret.deleted', before, undefined)", ''],
      ['requireWriter(caller, seen.teamPath)', ''],
      ['await needs.audit.record(tx, {\n    origin,', 'void (tx, {\n    origin,'],
      ['if (users.length > 0) {', 'if (false) {', ['server/src/rooms/causes/sources/health.test.ts']],
      [
        'checkIfMatch(change.ifMatch, etagOf(before.version))',
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
        "const row = await db.selectFrom('secrets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await db.selectFrom('secrets').selectAll().where('id', '=', id).executeTakeFirst()",
      ],
      ['.forUpdate()\n    .skipLocked()', '\n    .skipLocked()'],
    ],
  },
]
