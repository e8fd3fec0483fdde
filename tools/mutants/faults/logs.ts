import type { FaultyFile } from '../fault.ts'

const EXPLAINED = ['server/src/rooms/execution/logs/explain-failure.test.ts']

export const logs: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/execution/logs/actions/explain-failure.ts',
    tests: EXPLAINED,
    faults: [
      ["await means.runs.findVisible(caller, runId, 'run.read')", "void (caller, 'run.read')"],
      ["!outcome || !caller.can('run.read', outcome.run.teamPath)", '!outcome'],
      ["|| attempt.childRunId !== null || !caller.can('log.read', run.teamPath)", '|| attempt.childRunId !== null'],
    ],
  },
  {
    file: 'server/src/rooms/execution/logs/actions/find-relevant.ts',
    tests: EXPLAINED,
    faults: [
      ['backward: true, bytes: FAILED_BYTES }, hide)', 'backward: true, bytes: FAILED_BYTES }, (same) => same)'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/run-outcome.ts',
    tests: EXPLAINED,
    faults: [
      [' and (not untrusted or ${run.untrusted})', ''],
      ['from near where team_path = ${run.teamPath} and', 'from near where'],
    ],
  },
  {
    file: 'server/src/rooms/execution/logs/actions/scrub-logs.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [['await means.audit.record(tx, {', 'void (tx, {']],
  },
  {
    file: 'server/src/rooms/execution/logs/store/chunks.ts',
    tests: [
      'server/src/rooms/execution/logs/append-lines.test.ts',
      'server/src/rooms/execution/logs/scrub-logs.test.ts',
    ],
    faults: [
      [
        "select pg_notify('run_logs', run_id) from unnest(${runIds}::text[]) as run_id",
        "select concat('run_logs', run_id) from unnest(${runIds}::text[]) as run_id",
        ['server/src/notifications.test.ts'],
      ],
      [' and head.next_line = wanted.from_line', '', ['server/src/fences.test.ts']],
      ['and (head.closed_at is null or wanted.bytes = 0)', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/logs/store/packing.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      ["await sql`select pg_advisory_xact_lock(hashtextextended('log rows ' || ${attemptId}, 0))`.execute(tx)", ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/logs/store/scrubs.ts',
    tests: ['server/src/notifications.test.ts'],
    faults: [
      [
        "await sql`select pg_notify('run_logs', ${scrub.runId})`.execute(tx)",
        "await sql`select concat('run_logs', ${scrub.runId})`.execute(tx)",
      ],
      ["select pg_notify('run_logs', ${runId})`.execute(db)", "select concat('run_logs', ${runId})`.execute(db)"],
    ],
  },
]
