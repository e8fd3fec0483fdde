import type { FaultyFile } from '../fault.ts'

/** Of the statements that keep runs. */
export const runStore: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/execution/runs/store/approvals.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        'select status, withheld, commit_sha from runs where id = ${id} for update`.execute(tx)',
        'select status, withheld, commit_sha from runs where id = ${id} `.execute(tx)',
      ],
      [
        "select pg_notify('runs_queued', lane), pg_notify('run_changed', id::text),",
        "select concat('runs_queued', lane), pg_notify('run_changed', id::text),",
        ['server/src/notifications.test.ts'],
      ],
      [
        "pg_notify('approval_changed', 'gone ' || id || ' fork')",
        "concat('approval_changed', 'gone ' || id || ' fork')",
        ['server/src/notifications.test.ts'],
      ],
      [
        " and status = 'queued' and withheld = 'fork_approval'\n      returning",
        " and status = 'queued'\n      returning",
        ['server/src/fences.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/attempts.ts',
    tests: ['server/src/fences.test.ts'],
    faults: [
      [
        "select pg_notify('run_changed', run_id::text) from noted`.execute(db)",
        "select concat('run_changed', run_id::text) from noted`.execute(db)",
        ['server/src/notifications.test.ts'],
      ],
      ['.forUpdate()', '', ['server/src/row-locks.test.ts']],
      ['order by id for update`.execute(tx)', 'order by id `.execute(tx)', ['server/src/row-locks.test.ts']],
      [" and runner_id = ${runnerId} and status = 'leased'\n    returning", " and status = 'leased'\n    returning"],
      [
        "where fence = any(${fences}::bigint[]) and runner_id = ${runnerId} and status = 'leased'",
        'where fence = any(${fences}::bigint[]) and runner_id = ${runnerId}',
      ],
      [' and lease_expires_at <= ${now}', ''],
      [
        "    .where('status', '=', 'leased')\n    .where('lease_expires_at', '<', until)\n    .execute()\n}\n\n/** As renewAllLeases",
        "    .where('status', '=', 'leased')\n    .execute()\n}\n\n/** As renewAllLeases",
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/cancel.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        'const { rows } = await sql<{ status: string }>`select status from runs where id = ${id} for update`.execute(tx)',
        'const { rows } = await sql<{ status: string }>`select status from runs where id = ${id} `.execute(tx)',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/claims.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        'order by runs.priority desc, runs.id limit ${limit} for update skip locked',
        'order by runs.priority desc, runs.id limit ${limit} ',
      ],
      ['for update skip locked\n      ) as locked', '\n      ) as locked'],
      ['for update skip locked`.execute(tx)', '`.execute(tx)'],
      [
        'order by attempts.run_id, attempts.id limit ${limit} for update of attempts skip locked',
        'order by attempts.run_id, attempts.id limit ${limit} ',
      ],
      ['order by attempts.id for update of attempts skip locked`.execute(tx)', 'order by attempts.id `.execute(tx)'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/fail-run.ts',
    tests: ['server/src/notifications.test.ts'],
    faults: [
      [
        "from failed, lateral pg_notify('run_changed', failed.id::text),",
        "from failed, lateral concat('run_changed', failed.id::text),",
      ],
      [' and finished_at is null and (not', ' and (not', ['server/src/fences.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/change-runs.ts',
    tests: ['server/src/notifications.test.ts'],
    faults: [
      ["select 'run_changed' as channel, id::text", "select 'x' as channel, id::text"],
      ["select 'runs_cancel', id::text", "select 'x', id::text"],
      ['where waits or (ends is not null and concurrency_group is not null)', 'where waits'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/final-outputs.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "select from runs where id = ${runId} and final_output_status = 'pending' for update`.execute(tx)",
        "select from runs where id = ${runId} and final_output_status = 'pending' `.execute(tx)",
      ],
      [
        "select pg_notify('run_changed', id::text) from made`.execute(tx)",
        "select concat('run_changed', id::text) from made`.execute(tx)",
        ['server/src/notifications.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/new-runs.ts',
    tests: ['server/src/notifications.test.ts'],
    faults: [
      ["select distinct 'runs_queued' as channel, lane as payload", "select distinct 'x' as channel, lane as payload"],
      ["select 'runs_created', 'created ' ||", "select 'x', 'created ' ||"],
      ["select 'approval_changed', 'created ' ||", "select 'x', 'created ' ||"],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/save-progress.ts',
    tests: ['server/src/fences.test.ts'],
    faults: [
      [
        "from saved_runs, lateral pg_notify('run_changed', id::text)`,",
        "from saved_runs, lateral concat('run_changed', id::text)`,",
        ['server/src/notifications.test.ts'],
      ],
      [' and runs.revision = given.revision', ''],
      [
        "\n        and attempts.status in ('leased', 'child', 'waiting')\n      returning case",
        '\n      returning case',
      ],
      [" and attempts.status = 'waiting'\n      returning attempts.id", '\n      returning attempts.id'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/groups.ts',
    tests: ['server/src/notifications.test.ts'],
    faults: [
      [
        "await sql`select pg_notify('runs_group_left', '')`.execute(db)",
        "await sql`select concat('runs_group_left', '')`.execute(db)",
      ],
    ],
  },
]
