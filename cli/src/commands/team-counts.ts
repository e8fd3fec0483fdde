import type { TeamCounts } from '@signalbox/contracts/overview'
import { overviewRoutes } from '@signalbox/contracts/overview/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { readPast } from './parse-arguments.ts'

/** `team counts`: what goes on in a team and below it. What one may not see has no line. */
export function countsCommand(context: Context): Command {
  return apiCommand('counts', 'show what goes on in a team and the teams below it, in numbers')
    .argument('<team>', 'path or id')
    .option('--since <time>', 'pipelines that broke after this time, such as 2d for two days ago', readPast)
    .action(async (team: string, { since, ...options }: ApiOptions & { readonly since?: string }) => {
      const client = context.connect(options)
      const found = await client.call(overviewRoutes.countTeam, { params: { id: team }, query: { since } })
      if (options.json) return context.printJson(found)
      context.printFields(linesOf(found))
      if (!found.broken || found.broken.length === 0) return undefined
      context.printLine('')
      return context.printTable(
        ['broke', 'run', 'status', 'at'],
        found.broken.map((each) => [each.pipeline, each.run_id, each.status, each.finished_at]),
      )
    })
}

function linesOf({ team_path, runs, approvals, sources, runners, schedules }: TeamCounts) {
  const lines: (readonly [string, string | undefined])[] = [
    ['team', team_path],
    ['runs', runs && inWords({ queued: runs.queued, running: runs.running, paused: runs.paused })],
    ['last 24 hours', runs && inWords(runs.finished)],
    ['approvals', approvals && inWords(approvals)],
    ['sources', sources && inWords(withoutLists(sources))],
    ['runners', runners && inWords(withoutLists(runners))],
    ['schedules', schedules && inWords({ enabled: schedules.enabled, failing: schedules.failing })],
  ]
  const next = (schedules?.next ?? []).map(
    ({ identifier, fires_at: at }) => ['fires next', `${identifier} at ${at}`] as const,
  )
  const sick = (sources?.sick ?? []).map(({ name, sentence }) => ['sick', `${name}: ${sentence}`] as const)
  return [...lines, ...sick, ...next]
}

function withoutLists(part: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(part).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}

/** Such as `2 queued, 1 running`; what is zero is left out. */
function inWords(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.length === 0 ? 'none' : some.map(([name, count]) => `${count} ${name.replace('_', ' ')}`).join(', ')
}
