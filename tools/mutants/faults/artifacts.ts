import type { FaultyFile } from '../fault.ts'

export const artifacts: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/execution/artifacts/actions/find-artifact.ts',
    tests: ['server/src/rooms/execution/artifacts/artifacts.test.ts'],
    faults: [
      [
        "return requireVisible(caller, 'artifact.read', artifact, () =>",
        "if (artifact) return artifact\n  return requireVisible(caller, 'artifact.read', artifact, () =>",
      ],
      ["requirePermission(origin.caller, 'artifact.delete', teamPath)", 'void 0'],
      [
        'await means.audit.record(tx, { origin, action: ARTIFACT_DELETED.kind, resource, teamPath, before })',
        'void (tx, { origin, action: ARTIFACT_DELETED.kind, resource, teamPath, before })',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/artifacts/actions/keep-quotas.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requireVisible(caller, 'artifact.read', { teamPath }, () =>", 'String(() =>'],
      ["requirePermission(origin.caller, 'storage.write', teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/execution/artifacts/store/artifacts.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        'select id from artifacts where expires_at < ${now} order by expires_at limit ${limit} for update skip locked',
        'select id from artifacts where expires_at < ${now} order by expires_at limit ${limit} ',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/artifacts/store/blobs.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      ['.forShare()', ''],
      ['.forUpdate()', ''],
      ['order by touched_at limit ${limit} for update skip locked', 'order by touched_at limit ${limit} '],
    ],
  },
  {
    file: 'server/src/rooms/execution/artifacts/store/cache.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        'select id from cache_entries where used_at < ${before} order by used_at limit ${limit} for update skip locked',
        'select id from cache_entries where used_at < ${before} order by used_at limit ${limit} ',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/artifacts/store/loose-objects.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        'select object from loose_objects where due_at <= ${at} order by due_at limit ${limit} for update skip locked',
        'select object from loose_objects where due_at <= ${at} order by due_at limit ${limit} ',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/artifacts/store/quotas.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      ['await sql`select pg_advisory_xact_lock(hashtextextended(${`artifacts:${teamPath}`}, 0))`.execute(tx)', ''],
    ],
  },
]
