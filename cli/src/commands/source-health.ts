import type { SourceHealth } from '@signalbox/contracts/sources'
import { branchRoutes, sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { repositoryParams } from './override-path.ts'
import { resolveSource } from './source-lookup.ts'

export function healthCommand(context: Context): Command {
  return apiCommand('health', 'show the health of a source: refused deliveries, unusable events, secrets in use')
    .argument('<source>', 'name or id')
    .action(async (given: string, options: ApiOptions) => {
      const client = context.connect(options)
      const params = { sourceID: await resolveSource(client, given) }
      const found = await client.call(sourceRoutes.getSourceHealth, { params })
      if (options.json) return context.printJson(found)
      const now = Date.now()
      context.printFields([
        ['status', { text: found.status, tone: toneOfHealth(found.status) }],
        ['', found.sentence],
        ['last delivery', ago(found.last_delivery_at, now) || 'never'],
        ['last good answer', ago(found.last_accepted_at, now) || 'never'],
        ['refused in a row', String(found.rejected_in_a_row)],
        ...recoveryFields(found.recovery, now),
        ...found.credentials.map(({ version, last_used_at: used }): [string, string] => [
          `secret version ${version}`,
          `last used ${ago(used, now) || 'never'}`,
        ]),
      ])
      const renamed = found.former_names.map((each) => [
        each.former_name,
        each.name,
        [
          ...each.triggers.map(({ name, team_path: team }) => `trigger ${team}/${name}`),
          ...each.overrides.map(({ pipeline }) => `override with ${pipeline}`),
        ].join(', '),
      ])
      if (renamed.length > 0) {
        context.printLine('')
        context.printTable(['former name', 'is now', 'change it in'], renamed)
      }
      if (found.unusable_events.length === 0) return
      context.printLine('')
      const rows = found.unusable_events.map((each) => [
        each.event_type,
        each.action ?? '',
        String(each.count),
        ago(each.last_at, now),
      ])
      context.printTable(['nothing can use', 'action', 'in 7 days', 'last'], rows)
    })
}

/** What the provider's log says of deliveries that never came. */
function recoveryFields(recovery: SourceHealth['recovery'], now: number): [string, string][] {
  const { gap, missing, recovered_7_days: recovered, looked_at: lookedAt, reason } = recovery
  return [
    [
      'lost deliveries',
      `${missing} missing, ${recovered} recovered in 7 days; looked ${ago(lookedAt, now) || 'never'}`,
    ],
    ...(gap ? ([['not sure of', `${gap.from} to ${gap.to}`]] satisfies [string, string][]) : []),
    ...(reason === null ? [] : ([['why', reason]] satisfies [string, string][])),
  ]
}

export function branchesCommand(context: Context): Command {
  return apiCommand('branches', 'list the branches of a connected repository, read from its provider now')
    .argument('<repository>', '<owner>/<name>, such as acme/shop')
    .action(async (repository: string, options: ApiOptions) => {
      const params = repositoryParams(repository)
      const branches = await context.connect(options).call(branchRoutes.listBranches, { params })
      if (options.json) return context.printJson(branches)
      const rows = branches.map((each) => [each.name, each.commit_sha])
      return context.printTable(['branch', 'commit'], rows)
    })
}

function toneOfHealth(status: string): Tone {
  switch (status) {
    case 'healthy':
      return 'good'
    case 'failing':
      return 'bad'
    case 'silent':
    case 'disabled':
      return 'warn'
    default:
      return 'plain'
  }
}
