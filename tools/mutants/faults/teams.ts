import type { FaultyFile } from '../fault.ts'

export const teams: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/teams/actions/change-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["if (!origin.caller.can('team.write', seen.path)) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
      ['laterThan(team.updatedAt, kit.clock.now())', 'kit.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/create-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["if (!origin.caller.can('team.write', parent ?? '/')) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/delete-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["if (!origin.caller.can('team.write', team.path)) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/find-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["const visible = caller.can('team.read', team?.path ?? '/')", 'const visible = true']],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/list-environments.ts',
    tests: ['server/src/rooms/foundation/teams/routes.test.ts'],
    faults: [["if (!caller.can('environment.read', team.path)) {", 'if (false) {']],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/list-teams.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('team.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/write-environment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        'if (environment.protected || environment.allowedSubjects.length > 0) requireGranter(origin.caller, team.path)',
        '',
      ],
      ["await record(needs, tx, origin, 'environment.created', team, undefined, environment)", ''],
      [
        'requireGranter(origin.caller, team.path)\n    await store.saveProtection(tx, environment)',
        '\n    await store.saveProtection(tx, environment)',
      ],
      ["await record(needs, tx, origin, 'environment.updated', team, before, environment)", ''],
      ['if (before.protected) requireGranter(origin.caller, team.path)', ''],
      ["await record(needs, tx, origin, 'environment.deleted', team, before, undefined)", ''],
      ["if (!caller.can('environment.write', team.path)) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
      ['laterThan(before.updatedAt, kit.clock.now())', 'kit.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/store.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "const row = await db.selectFrom('teams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst()",
      ],
      ['.forUpdate()\n    .executeTakeFirst()', '\n    .executeTakeFirst()'],
    ],
  },
]
