import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/causes/recovery'
const ALL = `${ROOM}/recovery.test.ts`
const MARKS = `${ROOM}/marks.test.ts`
const WALKS = `${ROOM}/walks.test.ts`
const GITLAB = `${ROOM}/gitlab.test.ts`
const HOOKS = `${ROOM}/hooks.test.ts`
const HEADS = `${ROOM}/heads.test.ts`
const HEADS_FAULTS = `${ROOM}/heads-faults.test.ts`
const EVENTS = 'server/src/rooms/causes/events'

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
    file: `${ROOM}/actions/compare-heads.ts`,
    tests: [HEADS, HEADS_FAULTS],
    faults: [
      ['(await store.dropNotes(db, id))', 'false'],
      ['  await store.pauseSource(db, source.id, { until, isAskedFor })\n', ''],
      ['failedAt: null, reason, nextAt: later(UNSHOWN_PAUSE_MS)', 'failedAt: null, reason, nextAt: null'],
    ],
  },
  {
    file: `${ROOM}/actions/judge-heads.ts`,
    tests: [HEADS, HEADS_FAULTS],
    faults: [
      ['  if (!noted) return undefined\n', '  if (!noted) return { heads: {}, pulls: {}, untold: [] }\n'],
      ['if (await means.sources.cameWhileDisabled(db, stored.sourceId, new Date(oldest))) return undefined\n', ''],
      ['if (before !== null) notes[ref] = before', 'notes[ref] = head'],
      ['return at !== null && means', 'return at === null || means'],
      ['  if (isFirst) return', '  if (!isFirst && isFirst) return'],
    ],
  },
  {
    file: `${ROOM}/actions/make-untold.ts`,
    tests: [HEADS, HEADS_FAULTS],
    faults: [
      ['suspicions.filter((one) => isDue(one, now, GRACE_MS))', 'suspicions'],
      ['return !isTold && position === held.beforeSha', 'return true'],
      ['      if (isWithheld) return false\n', ''],
      ['await means.events.changes.markMade(tx, id, { eventId, deliveryRecordId, madeAt })', ''],
    ],
  },
  {
    file: `${ROOM}/actions/find-head-places.ts`,
    tests: [HEADS_FAULTS],
    faults: [
      ['  if (!source.admits(repository)) return undefined\n', ''],
      [
        'repositories.listBranches({ baseUrl, token, signal, wholeLists: true }',
        'repositories.listBranches({ baseUrl, token, signal }',
      ],
    ],
  },
  {
    file: `${ROOM}/rules/heads.ts`,
    tests: [`${ROOM}/rules/heads.test.ts`],
    faults: [
      ['last.after === head || ', ''],
      ['!note.startsWith(ABSENT)', 'true'],
    ],
  },
  {
    file: `${EVENTS}/rules/covered.ts`,
    tests: [`${EVENTS}/rules/covered.test.ts`],
    faults: [
      ['if (isGone || reached.has(told.before)) {', 'if (isGone) {'],
      ['if (isGone || reached.has(told.before)) {', 'if (reached.has(told.before)) {'],
      ['told.after === made.head || ', ''],
    ],
  },
  {
    file: `${EVENTS}/store/starts.ts`,
    tests: [HEADS],
    faults: [['made.id <> all (told.judged)', 'false']],
  },
  {
    file: `${EVENTS}/store/suspected.ts`,
    tests: [`${EVENTS}/store/told-changes.test.ts`],
    faults: [
      ['case when held.head_sha = excluded.head_sha then held.suspected_at else', 'case when false then now() else'],
    ],
  },
  {
    file: `${EVENTS}/store/events.ts`,
    tests: [HEADS],
    faults: [['    for share\n', '']],
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
    tests: [WALKS, HEADS_FAULTS],
    faults: [
      ["if (typeof id !== 'string') return", "if (typeof id === 'string') return"],
      ['        await means.events.changes.forget(means.database.kysely, id)\n', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/find-missed.ts',
    tests: [MARKS],
    faults: [
      ['each.replayOf === null && ', ''],
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
