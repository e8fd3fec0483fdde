import type { FaultyFile } from '../fault.ts'

export const triggers: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/triggers/actions/find-trigger.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "return requireVisible(caller, 'trigger.read', found, () =>",
        "return found ?? requireVisible(caller, 'trigger.read', found, () =>",
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      ["prefixes: caller.prefixes('trigger.read'),", "prefixes: ['/'],"],
    ],
  },
  {
    file: 'server/src/rooms/causes/triggers/actions/keep-index.ts',
    tests: ['server/src/rooms/causes/triggers/actions/keep-index.test.ts'],
    faults: [
      ['if (page.length < SLICE) break', 'break'],
      ['if (!changes.complete) return undefined', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/triggers/actions/write-trigger.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        'if (await means.above.mayConnect(db, caller, sourceId)) return undefined',
        'return undefined',
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      [
        "if (pipeline) requirePermission(caller, 'run.start', pipeline.teamPath)",
        'void 0',
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      [
        "if (verdict !== 'usable') {",
        "if (verdict === 'unknown') {",
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      ["if (verdict === 'unknown') {", 'if (false) {', ['server/src/rooms/causes/triggers/triggers.test.ts']],
      [
        "if (!pipeline || !caller.can('pipeline.read', pipeline.teamPath)) {",
        'if (!pipeline) {',
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      ["requirePermission(origin.caller, 'trigger.write', definition.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, {\n      origin,\n      action: 'trigger.created',",
        "void (tx, {\n      origin,\n      action: 'trigger.created',",
      ],
      ["requirePermission(caller, 'trigger.write', definition.teamPath)", 'void 0'],
      ["requirePermission(caller, 'trigger.write', trigger.teamPath)", 'void 0'],
      [
        'checkIfMatch(ifMatch, etagOf(trigger.updatedAt))',
        'void 0',
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      ["requirePermission(origin.caller, 'trigger.write', after.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, {\n    origin,\n    action: 'trigger.updated',",
        "void (tx, {\n    origin,\n    action: 'trigger.updated',",
      ],
      [
        "await means.audit.record(tx, {\n      origin,\n      action: 'trigger.deleted',",
        "void (tx, {\n      origin,\n      action: 'trigger.deleted',",
      ],
      ['laterThan(before.updatedAt, means.clock.now())', 'means.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/causes/triggers/rules/match-trigger.ts',
    tests: [
      'server/src/rooms/causes/triggers/rules/match-trigger.test.ts',
      'server/src/rooms/causes/triggers/rules/manifest/manifest.test.ts',
    ],
    faults: [
      ["pull_request: ['opened', 'reopened', 'synchronized'],", "pull_request: ['opened', 'synchronized'],"],
      ["pull_request: ['opened', 'reopened', 'synchronized'],", "pull_request: ['opened', 'reopened'],"],
    ],
  },
  {
    file: 'server/src/rooms/causes/triggers/store/triggers.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "const row = await db.selectFrom('triggers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await db.selectFrom('triggers').selectAll().where('id', '=', id).executeTakeFirst()",
      ],
    ],
  },
]
