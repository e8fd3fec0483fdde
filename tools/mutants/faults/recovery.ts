import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/causes/recovery'
const ALL = `${ROOM}/recovery.test.ts`
const MARKS = `${ROOM}/marks.test.ts`
const WALKS = `${ROOM}/walks.test.ts`
const GITLAB = `${ROOM}/gitlab.test.ts`
const HOOKS = `${ROOM}/hooks.test.ts`

export const recovery: readonly FaultyFile[] = [
  {
    file: `${ROOM}/store/recoveries.ts`,
    tests: [ALL, MARKS],
    faults: [
      ["    .where('tries', '=', tries)\n", ''],
      ['recoveries.source_id = came.source_id\n      and ', ''],
      ['coalesce(recoveries.delivery_record_id = came.id, recoveries.requested_at <= came.received_at)', 'true'],
      ['coalesce(recoveries.delivery_record_id = came.id, recoveries.requested_at <= came.received_at)', 'false'],
    ],
  },
  {
    file: `${ROOM}/rules/missed.ts`,
    tests: [`${ROOM}/rules/missed.test.ts`],
    faults: [
      ['answer.receivedAt < known.receivedAt : isUnwanted(known)', 'answer.receivedAt < known.receivedAt : false'],
    ],
  },
  {
    file: `${ROOM}/actions/settle-missing.ts`,
    tests: [ALL, WALKS],
    faults: [
      ['if (tries >= MAX_TRIES) return', 'if (tries < 0) return'],
      ['if (!(await store.reserveTry(db, row, { now, next }))) return undefined\n', ''],
      ['missing.filter(({ nextTryAt }) => nextTryAt <= now)', 'missing'],
      ["if (answer.outcome === 'not_found') return giveUp(", "if (answer.outcome === 'found') return giveUp("],
      ["if (isUnwanted(answer)) return giveUp(means, log, row, 'It came while the source was disabled.')\n", ''],
    ],
  },
  {
    file: `${ROOM}/actions/look-back.ts`,
    tests: [ALL, WALKS, GITLAB],
    faults: [
      ['one.deliveredAt === null ? untimed : ', ''],
      ['const UNTIMED_MS = 8 * DAY_MS', 'const UNTIMED_MS = KEPT_MS'],
      ['logged.filter(({ deliveryId }) => !noted.has(deliveryId))', 'logged'],
      ['if (pausing && pausing > means.clock.now()) return\n', ''],
      ['page < PAGES_A_LOOK && !isDone', '!isDone'],
      ['let cursor = stored?.walkCursor ?? null', 'let cursor: string | null = null'],
      ['deliveries.filter((one) => attemptedAt(one, now).getTime() >= oldest)', 'deliveries'],
      ['seenUntil: isDone ? walkTop : (stored?.seenUntil ?? null)', 'seenUntil: walkTop'],
      ['forgetsCursor: !told?.retry', 'forgetsCursor: false'],
    ],
  },
  {
    file: `${ROOM}/actions/find-logs.ts`,
    tests: [HOOKS, WALKS],
    faults: [
      ['if (source?.enabled && ', 'if (source && '],
      [
        "if (!log || baseUrl === undefined || ref === null || ref.startsWith('app:')) return undefined",
        'if (!log || baseUrl === undefined || ref === null) return undefined',
      ],
      ['  if (!source.admits(repository)) return undefined\n', ''],
    ],
  },
  {
    file: `${ROOM}/actions/find-readable.ts`,
    tests: [ALL],
    faults: [
      [
        "requireVisible(caller, 'delivery.read', source, () =>",
        "requireVisible({ ...caller, can: () => true }, 'delivery.read', source, () =>",
      ],
    ],
  },
  {
    file: `${ROOM}/actions/ask-to-look.ts`,
    tests: [ALL],
    faults: [
      ["  requirePermission(origin.caller, 'delivery.replay', teamPath)\n", ''],
      ["action: 'recovery.requested',", "action: 'delivery.replayed',"],
    ],
  },
  {
    file: `${ROOM}/actions/find-missed.ts`,
    tests: [MARKS],
    faults: [['const arrived = came.filter(isArrived)', 'const arrived = came']],
  },
  {
    file: `${ROOM}/jobs.ts`,
    tests: [WALKS, GITLAB],
    faults: [
      ['config.deliveryRecordRetentionDays + KEPT_DAYS', 'config.deliveryRecordRetentionDays'],
      ['const KEPT_DAYS = 8', 'const KEPT_DAYS = 4'],
    ],
  },
  {
    file: `${ROOM}/reactions.ts`,
    tests: [WALKS],
    faults: [
      ["if (typeof id === 'string') await store.dropOfSource", "if (typeof id !== 'string') await store.dropOfSource"],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/find-missed.ts',
    tests: [MARKS],
    faults: [
      [' && replayOf === null', ''],
      [' || copies.has(id)', ''],
      ['ids.get(duplicateOf) === deliveryId', 'true'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/store/answers.ts',
    tests: [WALKS],
    faults: [
      [
        "(verification = 'verified' or (verification = 'not_checked' and status_code = 404))",
        "verification = 'verified'",
      ],
    ],
  },
]
