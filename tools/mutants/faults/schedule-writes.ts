import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/causes/schedules'

export const scheduleWrites: readonly FaultyFile[] = [
  {
    file: `${ROOM}/actions/check-schedule.ts`,
    tests: [`${ROOM}/schedules.test.ts`],
    faults: [
      ['if (silence) faults.push(silence)', ''],
      ["const isSeen = caller.can('team.read', runTeamPath)", 'const isSeen = true'],
      ['namesRepository: repository !== null', 'namesRepository: false'],
      ['return faults.length > 0 ? { faults } : { forbidden: error }', 'return { forbidden: error }'],
      ["if ('forbidden' in start) throw start.forbidden", ''],
      ["if (error.code === 'run.not_startable') {", 'if (false) {'],
    ],
  },
  {
    file: `${ROOM}/actions/write-schedule.ts`,
    tests: [`${ROOM}/change-schedules.test.ts`],
    faults: [
      ["requirePermission(origin.caller, 'schedule.write', wanted.teamPath)", ''],
      ["requirePermission(caller, 'schedule.write', schedule.teamPath)", ''],
      ['checkIfMatch(ifMatch, etagOf(schedule.updatedAt))', ''],
      ['const from = later(now, before.lastFireAt)', 'const from = now'],
      ['nextFireAt: goesOn ? before.nextFireAt : next', 'nextFireAt: next'],
      ['before.enabled && wanted.enabled && sameTiming(before, wanted)', 'before.enabled && wanted.enabled'],
      ['if (before.enabled && !(await isDenied(means, before))) return before', ''],
      ['if (before.enabled && !(await isDenied(means, before))) return before', 'if (before.enabled) return before'],
      ['if (!goesOn) await recordPassed(', 'if (false) await recordPassed('],
      ['if (!before.enabled) return before', ''],
    ],
  },
  {
    file: `${ROOM}/actions/run-schedule.ts`,
    tests: [`${ROOM}/run-schedule.test.ts`],
    faults: [
      ["requirePermission(caller, 'run.start', schedule.teamPath)", ''],
      ['namesRepository: schedule.repository !== null', 'namesRepository: false'],
      ['{ ...run.concurrency, atOnce: true as const }', 'run.concurrency'],
      ["if (foreignKeyViolation(error) === 'schedule_fires_schedule_id_fkey')", 'if (false)'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: `${ROOM}/actions/preview-schedule.ts`,
    tests: [`${ROOM}/preview-schedule.test.ts`],
    faults: [
      ["const maySee = caller.can('schedule.read', stored?.teamPath ?? '/')", 'const maySee = true'],
      ['...findKindFaults(definition), ', ''],
      ['Math.min(from.getTime() + YEARS_MS, LAST_MS)', 'from.getTime() + YEARS_MS'],
    ],
  },
  {
    file: `${ROOM}/actions/describe-schedule.ts`,
    tests: [`${ROOM}/read-schedules.test.ts`],
    faults: [["prefixes: caller.prefixes('run.read')", "prefixes: ['/']"]],
  },
  {
    file: `${ROOM}/rules/validate-schedule.ts`,
    tests: [`${ROOM}/schedules.test.ts`],
    faults: [
      ["if (ref?.startsWith('refs/') && !BRANCH_OR_TAG.test(ref)) {", 'if (false) {'],
      ['if (next && next.planned <= LAST) return undefined', 'if (next) return undefined'],
      ['if (repository !== null && !isRepositoryName(repository)) {', 'if (false) {'],
      ["if (compiled.timing.kind === 'one_time') return undefined", 'return undefined'],
    ],
  },
  {
    file: `${ROOM}/rules/timing-of.ts`,
    tests: [`${ROOM}/schedules.test.ts`],
    faults: [['Number.POSITIVE_INFINITY', '0']],
  },
  {
    file: `${ROOM}/store/schedules.ts`,
    tests: [`${ROOM}/read-schedules.test.ts`],
    faults: [['if (isUuid(idOrIdentifier))', "if (!idOrIdentifier.includes('/'))"]],
  },
]
