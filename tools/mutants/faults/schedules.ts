import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/causes/schedules'
const OUTCOMES = `${ROOM}/scheduler/outcomes.test.ts`
const ONCE = `${ROOM}/scheduler/once.test.ts`
const CHECKOUTS = `${ROOM}/scheduler/checkouts.test.ts`

export const schedules: readonly FaultyFile[] = [
  {
    file: `${ROOM}/scheduler/scheduler.ts`,
    tests: [CHECKOUTS],
    faults: [
      ['const judged = await createOwnerJudge(means)(schedule)', 'const judged = start'],
      ['return late <= grace || (', 'return true || ('],
      ["(misfirePolicy !== 'skip' && late <= window && retryAt === null)", 'false'],
      ['if (fires.length > 0) await keeper.keep(', 'if (false) await keeper.keep('],
      ['else fired += 1', "else throw new Error('one cannot be read')", [ONCE]],
      ['namesRepository: false })', 'namesRepository: true })', [ONCE]],
    ],
  },
  {
    file: `${ROOM}/scheduler/keep-fires.ts`,
    tests: [ONCE],
    faults: [
      ['return (await keep(prepared.slice(0, half))) + (await keep(prepared.slice(half)))', 'throw error'],
      ['return await commit([await withoutDecided(prepared)])', 'return await commit([prepared])'],
      ["await leaveDue(schedule, 'It could not be fired: see the log of the server.')", ''],
      ['metrics.decided(fires)', '', [OUTCOMES]],
      ['if (concernsAll(error)) throw error\n    means.log', 'means.log'],
    ],
  },
  {
    file: `${ROOM}/scheduler/look-ups.ts`,
    tests: [CHECKOUTS],
    faults: [
      ['const OF_ONE_REPOSITORY = 2', 'const OF_ONE_REPOSITORY = 8'],
      ["schedule.repository?.toLowerCase() ?? ''", "schedule.repository ?? ''"],
      ['for (const callback of callbacks) callback()', ''],
    ],
  },
  {
    file: `${ROOM}/scheduler/fire-loop.ts`,
    tests: [ONCE],
    faults: [
      ['const wake = (): void => waker.abort()', 'const wake = (): void => undefined'],
      ['return Math.max(0, Math.min(left, EVERY_MS))', 'return Math.max(0, left)'],
      ['await look().catch(pauseAfter)', 'await look()'],
    ],
  },
  {
    file: `${ROOM}/scheduler/prepare-schedule.ts`,
    tests: [OUTCOMES],
    faults: [
      ['nextFireAt: first, now: clock.now()', 'nextFireAt, now: clock.now()'],
      [
        'if (!timing.ok) return unreadable(',
        "if (!timing.ok) throw new Error('unreadable'); if (!timing.ok) return unreadable(",
      ],
    ],
  },
  {
    file: `${ROOM}/actions/commit-fires.ts`,
    tests: [OUTCOMES],
    faults: [
      ["schedule.scheduleKind === 'one_time' && next === undefined", "schedule.scheduleKind === 'one_time'"],
      ["schedule.scheduleKind === 'one_time' && next === undefined", 'false'],
      ["schedule.overlapPolicy !== 'allow')", "schedule.overlapPolicy === 'allow')"],
      ['{ ids: plans.flatMap((plan) => plan.cancels), reason, at }', '{ ids: [], reason, at }'],
      ['runs.filter((run) => !ofBackfills.has(run.id))', 'runs'],
      [
        'const locked = await lockUnchanged(tx, decided)',
        'const locked = new Set(decided.map(({ id }) => id))',
        [ONCE],
      ],
      ['return retryReason === null ? reason :', 'return retryReason !== null ? reason :', [ONCE]],
    ],
  },
  {
    file: `${ROOM}/actions/decided-fire.ts`,
    tests: [OUTCOMES],
    faults: [
      ["if (reason === null || outcome === 'started') return []", 'if (reason === null || reason) return []'],
      ['storableReason(result.reason)', 'result.reason', [CHECKOUTS]],
    ],
  },
  {
    file: `${ROOM}/actions/judge-owner.ts`,
    tests: [OUTCOMES],
    faults: [
      ['[owner.kind, owner.id, owner.name, pipeline,', '[pipeline,', [ONCE]],
      [
        'const subject = await means.access.subject(owner.kind, owner.id)',
        "const subject = await means.access.subject('bootstrap', 'bootstrap')",
      ],
    ],
  },
  {
    file: `${ROOM}/store/due.ts`,
    tests: [ONCE],
    faults: [
      ['and given."updatedAt" = schedules.updated_at', ''],
      ['for no key update of schedules skip locked', 'for update of schedules skip locked'],
      ['retry_at = null, retry_reason = null,', '', [CHECKOUTS]],
      [
        'const dueAt = sql<Date>`coalesce(retry_at, next_fire_at)`',
        'const dueAt = sql<Date>`next_fire_at`',
        [CHECKOUTS],
      ],
    ],
  },
  {
    file: `${ROOM}/store/fires.ts`,
    tests: [OUTCOMES],
    faults: [["where('fired_at', '<', before)", "where('fired_at', '>', before)"]],
  },
  {
    file: `${ROOM}/rules/overlap.ts`,
    tests: [`${ROOM}/rules/overlap.test.ts`],
    faults: [
      ['starts(due, before ? 0 : 1, reason)', 'starts(due, 1, reason)'],
      ['standing.length === 0 ? 2 :', 'standing.length === 0 ? 3 :'],
      ['at === due - 1 ? undefined : LATER', 'at === 0 ? undefined : LATER'],
    ],
  },
  {
    file: `${ROOM}/rules/due.ts`,
    tests: [`${ROOM}/rules/due.test.ts`],
    faults: [
      ["input.misfirePolicy === 'all' ? window : graceful", 'graceful'],
      ["input.misfirePolicy === 'last' && list.length === 0", "input.misfirePolicy === 'last'"],
      ['more: left !== undefined', 'more: false'],
    ],
  },
]
