import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/causes/commands'
const RUN = `${ROOM}/run-command.test.ts`
const APPROVE = `${ROOM}/approve-command.test.ts`
const ALL = `${ROOM}/commands.test.ts`

export const commands: readonly FaultyFile[] = [
  {
    file: `${ROOM}/store/commands.ts`,
    tests: [ALL],
    faults: [['[...decided.runIds, ...decided.repeatedRunIds]', '[...decided.runIds]']],
  },
  {
    file: `${ROOM}/actions/find-actor.ts`,
    tests: [RUN, APPROVE, ALL],
    faults: [
      ['if (!(await provider.mayWrite(person))) throw cannotWrite(provider)', ''],
      ['  if (linked) return linked\n  const { kind', '  const { kind'],
      ['isWithin(path, teamPath) && owner.can(permission, path)', 'owner.can(permission, path)'],
    ],
  },
  {
    file: `${ROOM}/actions/start-pipeline.ts`,
    tests: [APPROVE],
    faults: [['      await recordAsker(asked, tx, [run.id])\n', '']],
  },
  {
    file: `${ROOM}/actions/carry-out.ts`,
    tests: [RUN, ALL],
    faults: [
      ['  refuse(judgeTold(told, ownLogin))\n', ''],
      ['  refuse(judgeShown(told, { ...shown, bodySha256 }, ownLogin))\n', ''],
      ['if (!(await store.lockWaiting(tx, row.id))) return false\n    const runIds', 'const runIds'],
      ['if (!source?.enabled || !source.commentCommands) {', 'if (!source) {'],
    ],
  },
  {
    file: `${ROOM}/actions/approve-commit.ts`,
    tests: [APPROVE],
    faults: [
      ['  if (headSha === sha) return\n', '  return\n'],
      [
        "run.withheld === 'fork_approval' && run.finished_at === null && run.commit_sha === sha",
        "run.withheld === 'fork_approval'",
      ],
    ],
  },
  {
    file: `${ROOM}/actions/start-pipeline.ts`,
    tests: [RUN],
    faults: [
      ['if (!actor.isLinked && !isHere) {', 'if (false) {'],
      ['namesRepository: !isHere', 'namesRepository: false'],
      ["hold: fromFork ? { kind: 'fork_approval', pullRequest: row.pullRequest } : undefined", 'hold: undefined'],
      ['untrusted: fromFork,', 'untrusted: false,'],
      ['if (!head.open)', 'if (false)'],
    ],
  },
  {
    file: `${ROOM}/actions/list-run-commands.ts`,
    tests: [ALL],
    faults: [
      ["const { id } = await means.runs.findVisible(caller, runId, 'run.read')", 'const id = runId'],
      ['command: withoutValues(command)', 'command'],
    ],
  },
  {
    file: `${ROOM}/actions/list-runs.ts`,
    tests: [ALL, APPROVE],
    faults: [['cloneUrl !== null && source.owns(cloneUrl) && ', '']],
  },
]
