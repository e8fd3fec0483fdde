import { Problem } from '#platform/problems'
import type { PullRequestRun } from '#rooms/execution/runs'
import type { AskedCommand, Effect } from './command-effect.ts'
import { type Actor, findWriter, originFor, recordAsker } from './find-actor.ts'
import { listRuns, newestOfEach } from './list-runs.ts'
import { CommandRefused } from './refuse-command.ts'

/** More than these are better repeated one by one. */
const MOST = 20
const FAILED: ReadonlySet<string> = new Set(['failure', 'warning', 'timed_out', 'canceled'])

/**
 * Repeats the newest finished run of each pipeline and scope at the head of the pull request; with `failed` those that did
 * not succeed, and of them what did not. What a run took over from an untrusted one stays untrusted.
 */
export async function repeatRuns(asked: AskedCommand, { failed }: { readonly failed: boolean }): Promise<Effect> {
  const { means, row, provider, person } = asked
  const actor = await findWriter(means, asked)
  const { headSha } = await provider.findPullRequest()
  const runs = newestOfEach((await listRuns(asked, actor.caller)).filter((run) => run.commit_sha === headSha))
  const wanted = runs.filter((run) => run.finished_at !== null && (!failed || FAILED.has(run.status)))
  if (wanted.length === 0) {
    const what = failed ? 'No run that did not succeed' : 'No finished run'
    throw new CommandRefused('nothing_to_do', `${what} is of the head ${headSha}.`)
  }
  if (wanted.length > MOST) {
    throw new CommandRefused('not_possible', `${wanted.length} runs are of the head: repeat them one by one.`)
  }
  const origin = originFor(row, actor, person)
  const prepared: Awaited<ReturnType<typeof means.runs.prepareRerun>>[] = []
  for (const run of wanted) {
    await requireOpenScope(asked, actor, run)
    prepared.push(await prepare(asked, origin, run, failed))
  }
  return {
    outcome: 'rerun',
    reason: `${count(wanted.length)} of ${headSha} again: ${wanted.map((run) => run.pipeline_identifier).join(', ')}.`,
    actor,
    repeatedRunIds: wanted.map((run) => run.id),
    async work(tx) {
      const ids: string[] = []
      for (const queue of prepared) ids.push(await queue(tx))
      await recordAsker(asked, tx, ids)
      return ids
    },
  }
}

function prepare(
  { means }: AskedCommand,
  origin: ReturnType<typeof originFor>,
  run: PullRequestRun,
  failed: boolean,
): ReturnType<typeof means.runs.prepareRerun> {
  const again = (mode: 'failed' | 'whole') => means.runs.prepareRerun(origin, run.id, { mode })
  if (!failed) return again('whole')
  // A run that never began has no part that succeeded.
  return again('failed').catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'run.not_repeatable') return again('whole')
    throw error
  })
}

function count(runs: number): string {
  return runs === 1 ? 'One run' : `${runs} runs`
}

/** A protected scope is not for a person who is no user of this service. */
async function requireOpenScope({ means }: AskedCommand, actor: Actor, { scope }: PullRequestRun): Promise<void> {
  if (actor.isLinked || (await means.teams.resolveScope(means.database.kysely, scope))?.protected === false) return
  const reason = `The scope ${scope} is protected: its runs are not repeated for somebody who is no user of this service.`
  throw new CommandRefused('not_permitted', reason)
}
