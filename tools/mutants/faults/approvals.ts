import type { FaultyFile } from '../fault.ts'

export const approvals: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/execution/approvals/rules/may-decide.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [[" || (kind === 'user' && askedBy.includes(id))", '']],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/list-approvals.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [
      [
        'found.push(...requests.filter((request) => request.allowSelf || !isOwn(caller, request)))',
        'found.push(...requests)',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/store/run-askers.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [
      ['where runs.parent_run_id is not null', 'where false'],
      ['user_id: userId }', 'user_id: userId && null }'],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/with-askers.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [
      ['if (asker.userId !== undefined) users.add(asker.userId)', ''],
      ['if (linked !== undefined) users.add(linked)', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/decide-request.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [['await means.audit.record(tx, {', 'void (tx, {']],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/judge-votes.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [
      ["if (mayDecide && subject.can('run.read', request.teamPath)) possible", 'if (mayDecide) possible'],
      ["if (!subject.can('run.read', request.teamPath)) return `${by.name} may not see the run any more.`", ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/store/requests.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "const row = await select(tx).where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await select(tx).where('id', '=', id).executeTakeFirst()",
      ],
      [
        "select run_id, pg_notify('approval_decided', run_id::text), pg_notify('run_changed', run_id::text),",
        "select run_id, concat('approval_decided', run_id::text), pg_notify('run_changed', run_id::text),",
        ['server/src/notifications.test.ts'],
      ],
      [
        "where id = ${id} and status = 'waiting' returning id, run_id",
        'where id = ${id} returning id, run_id',
        ['server/src/fences.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/list-approvals.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [
      ["const visible = within(caller.prefixes('run.read'))", "const visible = within(['/'])"],
      [
        "const prefixes = within(caller.prefixes('run.approve'))",
        "const prefixes = within(caller.prefixes('run.approve') && ['/'])",
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/list-decided.ts',
    tests: ['server/src/rooms/execution/approvals/list-decided.test.ts'],
    faults: [
      ["const prefixes = prefixesOf(caller, 'run.read', query.team_path)", "const prefixes = ['/']"],
      [
        "const prefixes = prefixesOf(caller, 'run.read', query.team_path)",
        "const prefixes = prefixesOf(caller, 'run.approve', query.team_path)",
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/store/decided.ts',
    tests: ['server/src/rooms/execution/approvals/list-decided.test.ts'],
    faults: [["    .where(withinPrefixes('team_path', prefixes))\n", '']],
  },
  {
    file: 'server/src/rooms/execution/runs/store/decided-forks.ts',
    tests: ['server/src/rooms/execution/approvals/list-decided.test.ts'],
    faults: [["    .where(withinPrefixes('team_path', prefixes))\n", '']],
  },
  {
    file: 'server/src/platform/database/team-paths.ts',
    tests: ['server/src/rooms/execution/runs/decided-forks.test.ts'],
    faults: [["else prefix || '/' end as low", 'else prefix end as low']],
  },
]
