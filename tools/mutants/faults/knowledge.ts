import type { FaultyFile } from '../fault.ts'

export const knowledge: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/catalog/knowledge/actions/declare-emergency.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "requirePermission(origin.caller, 'emergency.declare', fault === undefined ? teamOfPattern(scope) : PLATFORM)",
        'void 0',
      ],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/delete-item.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['requireWriter(origin.caller, seen)', ''],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/lift-emergency.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'emergency.declare', seen.teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/save-item.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['requireWriter(origin.caller, input)', ''],
      ['requireWriter(origin.caller, seen)', ''],
      ['await means.audit.record(tx, {', 'void (tx, {'],
      [
        "const permission = kind === 'policy' ? 'policy.write' : 'knowledge.write'",
        "const permission = 'knowledge.write'",
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/store/emergencies.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "const row = await tx.selectFrom('emergencies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await tx.selectFrom('emergencies').selectAll().where('id', '=', id).executeTakeFirst()",
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/store/copied.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "const row = await tx.selectFrom('knowledge_revision').select('revision').forShare().executeTakeFirstOrThrow()",
        "const row = await tx.selectFrom('knowledge_revision').select('revision').executeTakeFirstOrThrow()",
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/store/items.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "await tx.selectFrom('knowledge_items').select('id').where('id', '=', id).forUpdate().execute()",
        "await tx.selectFrom('knowledge_items').select('id').where('id', '=', id).execute()",
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/find-emergency.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "const filter = { prefixes: caller.prefixes('knowledge.read'), active: query.active }",
        "const filter = { prefixes: caller.prefixes('knowledge.read') && ['/'], active: query.active }",
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/find-item.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["prefixes: caller.prefixes('knowledge.read'),", "prefixes: caller.prefixes('knowledge.read') && ['/'],"],
      [
        "return requireVisibleFromBelow(caller, 'knowledge.read', found, () => unknownItem(idOrIdentifier))",
        'if (!found) throw unknownItem(idOrIdentifier)\n  return found',
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/prepare-trial.ts',
    tests: ['server/src/rooms/execution/dispatch/trials.test.ts'],
    faults: [
      ['requireReader(caller, read.teamPath)', ''],
      ['requireSound(await checkItem(means, means.database.kysely, read))', ''],
    ],
  },
  // What a trial of an item reads of past runs.
  {
    file: 'server/src/rooms/execution/runs/actions/read-past.ts',
    tests: ['server/src/rooms/execution/dispatch/trials.test.ts'],
    faults: [
      ["const readable = caller.prefixes('run.read')", "const readable = caller.prefixes('run.read') && ['/']"],
      ["caller.prefixes('pipeline.read').flatMap((path) => below(readable, path))", 'readable'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/past-places.ts',
    tests: ['server/src/rooms/execution/dispatch/trials.test.ts'],
    faults: [['and started_at is not null and finished_at is distinct from started_at', 'and started_at is not null']],
  },
]
