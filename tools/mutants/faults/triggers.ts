import type { FaultyFile } from '../fault.ts'

export const triggers: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/triggers/actions/find-trigger.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "  return caller.can('trigger.read', trigger.teamPath)",
        "  return caller.can('trigger.read', trigger.teamPath) || true",
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      ["const visible = caller.can('trigger.read', trigger?.teamPath ?? '/')", 'const visible = true'],
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
        'if (trigger.sourceId !== null && !(await means.above.mayConnect(db, caller, trigger.sourceId))) {',
        'if (false) {',
        ['server/src/rooms/causes/triggers/triggers.test.ts'],
      ],
      [
        "if (pipeline && !caller.can('run.start', pipeline.teamPath)) {",
        'if (false) {',
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
      ['requireWrite(origin.caller, definition.teamPath)', ''],
      ['await means.audit.record(tx, {\n        origin,', 'void (tx, {\n        origin,'],
      ['requireWrite(caller, definition.teamPath)', ''],
      [
        'requireWrite(origin.caller, before.teamPath)\n    checkIfMatch(change.ifMatch, etagOf(before.updatedAt))',
        '\n    checkIfMatch(change.ifMatch, etagOf(before.updatedAt))',
      ],
      ['requireWrite(origin.caller, after.teamPath)', ''],
      [
        "await means.audit.record(tx, {\n      origin,\n      action: 'trigger.updated',",
        "void (tx, {\n      origin,\n      action: 'trigger.updated',",
      ],
      [
        'requireWrite(origin.caller, before.teamPath)\n    checkIfMatch(ifMatch, etagOf(before.updatedAt))',
        '\n    checkIfMatch(ifMatch, etagOf(before.updatedAt))',
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
