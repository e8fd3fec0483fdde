import { RunnerNeed, type RunnerVerdicts } from '@signalbox/contracts/dispatch'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { type Finding, STRICT, TeamPath, Uuid } from '@signalbox/contracts/http'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { Type } from 'typebox'
import { defineTool, type NextCall, ownText, type Told, type Tool } from '#platform/tools'

const MOST_NAMED = 5
const { scope, profile, executor, labels } = RunnerNeed.properties

const explainTool = defineTool({
  name: 'explain_run',
  title: 'Why a run waits',
  family: 'runs',
  does: 'read',
  description:
    'Why a run waits, what it does, or what became of it, and what to do: runners, places, groups, approvals, emergencies, times beside the usual.',
  input: Type.Object({ run_id: Uuid }, STRICT),
  routes: { explainRun: dispatchRoutes.explainRun },
  async handle({ input, routes }) {
    const { body } = await routes.explainRun({ query: input })
    const { left_out: leftOut, ...facts } = body
    return { facts, next: body.what_to_do.flatMap((each) => callFor(input.run_id, each)), leftOut }
  },
})

/** The call of an agent that does what a sentence says, where there is one. */
function callFor(runId: string, { code, evidence }: Told<Finding>): NextCall[] {
  const other = evidence.find(({ kind }) => kind === 'run')?.id
  const others = other === undefined ? runId : ownText(other)
  switch (ownText(code)) {
    case 'do.explain_failure':
      return [{ tool: 'explain_failure', arguments: { run_id: runId }, brings: 'what failed first, and its lines' }]
    case 'do.explain_changes':
      return [
        { tool: 'compare_with_success', arguments: { run_id: runId }, brings: 'what changed since the last success' },
      ]
    case 'do.explain_child':
    case 'do.end_run_before':
      return [{ tool: 'explain_run', arguments: { run_id: others }, brings: 'why the run that it waits for waits' }]
    case 'do.read_log':
      return [{ tool: 'read_log', arguments: { run_id: runId }, brings: 'its newest lines' }]
    default:
      return []
  }
}

const runnersTool = defineTool({
  name: 'list_runners',
  title: 'List runners',
  family: 'runners',
  does: 'read',
  description:
    'Runners, newest first. With scope: which of them could take work there now, and why each of the others could not.',
  input: Type.Object(
    {
      scope: Type.Optional(scope),
      profile,
      executor,
      labels,
      team_path: Type.Optional(TeamPath),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    },
    STRICT,
  ),
  routes: { listRunners: runnerRoutes.listRunners, judgeRunners: dispatchRoutes.judgeRunners },
  async handle({ input, routes }) {
    const { scope: where, team_path, limit = 10, cursor, ...need } = input
    if (where !== undefined) {
      const { body } = await routes.judgeRunners({ body: { scope: where, ...need } })
      return { facts: { ...body, runners: groupVerdicts(body.runners) } }
    }
    const { body, nextCursor } = await routes.listRunners({ query: { limit, cursor, team_path } })
    const runners = body.map(({ id, name, team_path: path, scopes, connected, enabled, draining, ...runner }) => {
      const { capacity, executors, labels: given, last_seen_at } = runner
      return {
        id,
        name,
        team_path: path,
        scopes,
        connected,
        enabled,
        draining,
        capacity,
        executors,
        labels: given,
        last_seen_at,
      }
    })
    const more = { tool: 'list_runners', arguments: { ...input, cursor: nextCursor }, brings: 'older runners' }
    return { facts: { runners }, next: nextCursor === undefined ? [] : [more] }
  },
})

function groupVerdicts(runners: Told<RunnerVerdicts['runners']>) {
  return [...Map.groupBy(runners, ({ verdict }) => ownText(verdict))].map(([verdict, all]) => ({
    verdict,
    count: all.length,
    such_as: all.slice(0, MOST_NAMED).map(({ runner_id: id, runner: name }) => ({ id, name })),
  }))
}

export const dispatchTools: readonly Tool[] = [explainTool, runnersTool]
