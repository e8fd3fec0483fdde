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
    ],
  },
  {
    file: 'server/src/rooms/foundation/secrets/store.ts',
    tests: ['server/src/rooms/foundation/secrets/routes.test.ts'],
    faults: [
      [
        "const row = await db.selectFrom('secrets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await db.selectFrom('secrets').selectAll().where('id', '=', id).executeTakeFirst()",
      ],
      ['.forUpdate()\n    .skipLocked()', '\n    .skipLocked()'],
    ],
  },
]
