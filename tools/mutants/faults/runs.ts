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
