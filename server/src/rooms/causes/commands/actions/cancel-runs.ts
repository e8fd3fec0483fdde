import type { AskedCommand, Effect } from './command-effect.ts'
import { findWriter, originFor } from './find-actor.ts'
import { listRuns } from './list-runs.ts'
import { CommandRefused } from './refuse-command.ts'

/** Cancels the runs of the pull request that have not finished and that the actor may cancel. */
export async function cancelPullRequest(asked: AskedCommand): Promise<Effect> {
  const { means, row, person } = asked
  const actor = await findWriter(means, asked)
  const unfinished = (await listRuns(asked, actor.caller)).filter(
    (run) => run.finished_at === null && run.cancel_requested_at === null,
  )
  const runs = unfinished.filter((run) => actor.caller.can('run.cancel', run.team_path))
  if (runs.length === 0) {
    if (unfinished.length === 0) {
      throw new CommandRefused('nothing_to_do', 'No run of the pull request is under way that you may see.')
    }
    throw new CommandRefused('not_permitted', `${actor.caller.name} lacks the permission run.cancel for these runs.`)
  }
  const who = person.login ?? person.id ?? 'somebody'
  const reason = `canceled by ${who} in a comment`
  const ended: string[] = []
  return {
    outcome: 'canceled',
    reason: `${runs.length === 1 ? 'One run is' : `${runs.length} runs are`} canceled.`,
    actor,
    async work(tx) {
      const at = means.clock.now()
      ended.push(...(await means.runs.cancel(tx, { ids: runs.map((run) => run.id), reason, at })))
      for (const run of runs) {
        await means.audit.record(tx, {
          origin: originFor(row, actor, person),
          action: 'run.canceled',
          resource: { kind: 'run', id: run.id },
          teamPath: run.team_path,
          after: { reason },
        })
      }
      return runs.map((run) => run.id)
    },
    done() {
      const at = means.clock.now()
      for (const cause of ended)
        means.runs.metrics.finished({ status: 'canceled', cause, queuedAt: at, startedAt: null }, at)
    },
  }
}
