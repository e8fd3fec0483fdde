import type { FaultyFile } from '../fault.ts'

export const logs: readonly FaultyFile[] = [
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
