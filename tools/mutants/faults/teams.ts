import type { FaultyFile } from '../fault.ts'

export const teams: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/teams/actions/update-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'team.write', seen.path)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ['laterThan(before.updatedAt, means.clock.now())', 'means.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/create-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'team.write', parent ?? '/')", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/delete-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'team.write', team.path)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/find-team.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "return requireVisible(caller, 'team.read', team, () =>",
        "if (team) return team\n  return requireVisible(caller, 'team.read', team, () =>",
      ],
      ["const prefixes = caller.prefixes('team.read')", "const prefixes = ['/']"],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/list-environments.ts',
    tests: ['server/src/rooms/foundation/teams/routes.test.ts'],
    faults: [["requirePermission(caller, 'environment.read', team.path)", 'void 0']],
  },
  {
    file: 'server/src/rooms/foundation/teams/actions/write-environment.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['if (environment.protected || environment.allowedSubjects.length > 0) requireGranter(origin.caller, team)', ''],
      [
        "await means.audit.record(tx, { origin, ...about(team, environment), action: 'environment.created', after })",
        'void after',
      ],
      [
        'requireGranter(origin.caller, team)\n    await store.updateEnvironment(tx, environment)',
        '\n    await store.updateEnvironment(tx, environment)',
      ],
      [
        "await means.audit.record(tx, { origin, ...about(team, before), action: 'environment.updated', ...states })",
        'void states',
      ],
      ['if (before.protected) requireGranter(origin.caller, team)', ''],
      [
        "await means.audit.record(tx, { origin, ...about(team, before), action: 'environment.deleted', ...state })",
        'void state',
      ],
      ["requirePermission(caller, 'environment.write', team.path)", 'void 0'],
      ['laterThan(before.updatedAt, means.clock.now())', 'means.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/foundation/teams/store.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "findOne(tx.selectFrom('teams').select(TEAM).where('id', '=', id).forUpdate())",
        "findOne(tx.selectFrom('teams').select(TEAM).where('id', '=', id))",
      ],
      ['.forUpdate(),\n  )', ',\n  )'],
    ],
  },
]
