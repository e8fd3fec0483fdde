import type { FaultyFile } from '../fault.ts'

export const runs: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/execution/runs/actions/authorize-run.ts',
    tests: ['server/src/rooms/execution/runs/actions/authorize-run.test.ts'],
    faults: [
      ['await requireScope(means, caller, scope)', ''],
      ['if (untrusted && (await means.teams.resolveScope(db, scope))?.protected !== false) {', 'if (false) {'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/cancel-run.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'run.cancel', run.team_path)", ''],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/decide-approval.ts',
    tests: ['server/src/rooms/execution/dispatch/withheld.test.ts'],
    faults: [
      ["requirePermission(caller, 'run.approve', run.team_path)", ''],
      ['await means.audit.record(db, {', 'void (db, {'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/find-faults.ts',
    tests: ['server/src/rooms/execution/runs/actions/find-faults.test.ts'],
    faults: [
      ["return caller.can('run.start', pipeline.teamPath)", 'return true'],
      ["return caller.can('profile.read', teamPath)", 'return true'],
      ["if (verdict === 'unknown') {", 'if (false) {'],
      ['if (untrusted) return undefined', ''],
      [
        "if (!caller.can('secret.read', teamPath)) return forbidden(`${who} may not use the secrets of ${teamPath}.`)",
        '',
      ],
      ['if (!untrusted) return undefined', 'return undefined'],
      ["if (verdict === 'forbidden') return forbidden(`${who} may not use the scope ${target}.`)", ''],
      ["if (!pipeline || !caller.can('pipeline.read', pipeline.teamPath)) {", 'if (!pipeline) {'],
      [
        "if (quick) return caller.can('run.start', owner) ? undefined : forbidden(`${who} may not start runs of ${owner}.`)",
        'if (quick) return undefined',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/find-visible-run.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "return requireVisible(caller, 'run.read', found, () =>",
        "if (found) return found.run\n  return requireVisible(caller, 'run.read', found, () =>",
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/list-visible-runs.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["let prefixes = caller.prefixes('run.read')", "let prefixes: readonly string[] = ['/']"]],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/queue-runs.ts',
    tests: ['server/src/rooms/execution/dispatch/children.test.ts'],
    faults: [
      [
        'variables: without({ ...pipeline.variables, ...run.variables }, run.secretVariables),',
        'variables: { ...pipeline.variables, ...run.variables },',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/rerun-run.ts',
    tests: [
      'server/src/rooms/execution/dispatch/withheld.test.ts',
      'server/src/rooms/execution/dispatch/reruns.test.ts',
    ],
    faults: [
      ["requirePermission(caller, 'run.rerun', run.team_path)", '', ['server/src/routes.test.ts']],
      ['await means.audit.record(tx, {', 'void (tx, {', ['server/src/routes.test.ts']],
      [
        'await authorizeRun(means, db, caller, { pipeline, scope: run.scope, untrusted: run.untrusted })',
        'await authorizeRun(means, db, caller, { pipeline, scope: run.scope, untrusted: false })',
        ['server/src/rooms/execution/dispatch/untrusted.test.ts'],
      ],
      ['untrusted: run.untrusted,', ''],
      ['hold: holdOf(run),', ''],
      [
        'secretVariables: less(secrets, wish.variables ?? {}),',
        '',
        ['server/src/rooms/execution/dispatch/children.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/save-round.ts',
    tests: [
      'server/src/rooms/execution/dispatch/two-processes.test.ts',
      'server/src/rooms/execution/dispatch/recovery.test.ts',
    ],
    faults: [
      ["if (uniqueViolation(error) === 'attempts_taken')", 'if (false)'],
      ['if (moved.length > 0) throw new RunsMovedOn(moved)', ''],
      [
        'if (round.runs.some(({ before }, index) => before.inGroup && rows[index]?.run.finished_at)) await tellGroupLeft(tx)',
        '',
        ['server/src/rooms/execution/dispatch/recovery.test.ts'],
      ],
      ['await means.facts.tellAll(tx, RUN_FINISHED.kind, RUN_FINISHED.version, facts)', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/start-run.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "const row = requireVisible(caller, 'pipeline.read', await means.pipelines.find(db, idOrIdentifier), () =>",
        'const orElse = <Row>(row: Row | undefined, absent: () => Error): Row => {\n    if (!row) throw absent()\n    return row\n  }\n  const row = orElse(await means.pipelines.find(db, idOrIdentifier), () =>',
        ['server/src/rooms/execution/dispatch/routes.test.ts'],
      ],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/require-start.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(caller, 'run.start', row.teamPath)", ''],
      ["if (wanted.namesRepository) requirePermission(caller, 'pipeline.write', row.teamPath)", ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/index.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [['requirePermission(caller, permission, run.team_path)', '']],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/settle-runs.ts',
    tests: ['server/src/rooms/execution/runs/actions/queue-runs.test.ts'],
    faults: [['return [lockingGroups(ids), standing]', 'return [standing]']],
  },
  {
    file: 'server/src/rooms/execution/runs/rules/settle-runs.ts',
    tests: ['server/src/rooms/execution/runs/rules/settle-runs.test.ts'],
    faults: [
      ["if (run.cause !== 'event' || run.pullRequest", 'if (run.pullRequest'],
      ['if (isHeld(run) && held.some((other) => isNewer(other, run))) return [{ id: run.id, ends }]', ''],
      ['(isAskedFor(run) && isNewer(other, run) !== true)', 'isAskedFor(run)'],
      ["if (isOutdated) return [{ id: run.id, ends: 'A newer commit runs already.' }]", ''],
    ],
  },
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
  {
    file: 'server/src/rooms/execution/runs/actions/try-run.ts',
    tests: ['server/src/rooms/execution/dispatch/dry-runs.test.ts'],
    faults: [
      ["      throw new RolledBack('a dry run')\n", ''],
      [
        "others.filter(({ id, teamPath }) => id !== run.id && caller.can('run.read', teamPath))",
        'others.filter(({ id }) => id !== run.id)',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/find-last-success.ts',
    tests: ['server/src/rooms/execution/dispatch/last-success.test.ts'],
    faults: [['?? (await findSuccessElsewhere(db, run))', '']],
  },
]
