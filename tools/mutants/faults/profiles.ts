import type { FaultyFile } from '../fault.ts'

export const profiles: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/catalog/profiles/actions/create-profile.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'profile.write', input.teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/profiles/actions/delete-profile.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'profile.write', seen.teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/profiles/actions/replace-profile.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'profile.write', seen.teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ['laterThan(before.updatedAt, means.clock.now())', 'means.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/catalog/profiles/store.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "findOne(tx.selectFrom('profiles').select(COLUMNS).where('id', '=', id).forUpdate())",
        "findOne(tx.selectFrom('profiles').select(COLUMNS).where('id', '=', id))",
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/profiles/actions/find-profile.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "return requireVisibleFromBelow(caller, 'profile.read', found, () => unknownProfile(idOrIdentifier))",
        'if (!found) throw unknownProfile(idOrIdentifier)\n  return found',
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/profiles/actions/find-profile.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["const prefixes = caller.prefixes('profile.read')", "const prefixes = caller.prefixes('profile.read') && ['/']"],
    ],
  },
]
