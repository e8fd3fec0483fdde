import { reportRoutes } from '@signalbox/contracts/reports/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

export function reportsCommand(context: Context): Command {
  return apiCommand('reports', 'show what the Git provider was told of a run, and what was given up')
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const reports = await context.connect(options).call(reportRoutes.listRunReports, { params: { id } })
      if (options.json) return context.printJson(reports)
      if (reports.length === 0) return context.printNote(`No Git provider was told of run ${id}.`)
      const rows = reports.map(({ kind, context: name, state, told_at, given_up_reason }) => [
        kind,
        name ?? '',
        state ?? '',
        told_at ?? '',
        given_up_reason ?? '',
      ])
      return context.printTable(['kind', 'name', 'state', 'told', 'given up because'], rows)
    })
}
