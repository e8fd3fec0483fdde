import type { EventKind } from '@signalbox/contracts/event'
import type { ResolvedRun } from '@signalbox/contracts/overrides'
import { resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import type { Row } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printManifests } from './manifest-faults.ts'
import { repositoryParams } from './override-path.ts'

/** `override resolve`: what would start now, and what an override keeps from starting. */
export function resolveCommand(context: Context): Command {
  return apiCommand('resolve', 'show what an event of a repository would start now, and which rules are outranked')
    .argument('<repository>', '<owner>/<name>, such as acme/shop')
    .option('--ref <ref>', 'branch, tag of the events tag and release, or a ref in full such as refs/tags/v1')
    .option('-e, --event <kind>', 'event kind (default: push; with a ref of a tag, tag)')
    .action(async (repository: string, options: ApiOptions & { ref?: string; event?: EventKind }) => {
      const request = { params: repositoryParams(repository), query: { ref: options.ref, event: options.event } }
      const resolution = await context.connect(options).call(resolutionRoutes.resolveRepository, request)
      if (options.json) return context.printJson(resolution)
      const { runs, losers, manifest } = resolution
      const rows = [
        ...runs.map((run) => rowOf(run, run.would_start ? 'starts' : 'does not start')),
        ...losers.map((run) => rowOf(run, 'outranked')),
      ]
      if (rows.length === 0) context.printNote('Nothing would start.')
      else context.printTable(['layer', 'name', 'pipeline', 'scope', '', 'reason'], rows)
      return printManifests(context, [manifest])
    })
}

function rowOf(run: ResolvedRun, fate: string): Row {
  const tone = fate === 'starts' ? 'good' : fate === 'outranked' ? 'quiet' : 'warn'
  return [run.layer, run.name, run.pipeline, run.scope, { text: fate, tone }, run.reason ?? '']
}

interface PreviewOptions extends ApiOptions {
  readonly pipeline: string
  readonly scope?: string
}

/** `override preview`: what the latest deliveries would have started with it. */
export function previewCommand(context: Context): Command {
  return apiCommand('preview', 'show what the last 50 deliveries of a repository would have started with an override')
    .argument('<repository>', '<owner>/<name>, such as acme/shop')
    .requiredOption('-p, --pipeline <pipeline>', 'identifier of the pipeline')
    .option('--scope <scope>', "scope of its runs (default: the only environment of the pipeline's team)")
    .action(async (repository: string, options: PreviewOptions) => {
      const { repoOwner, repoName } = repositoryParams(repository)
      const body = { repo_owner: repoOwner, repo_name: repoName, pipeline: options.pipeline, scope: options.scope }
      const preview = await context.connect(options).call(resolutionRoutes.previewOverride, { body })
      if (options.json) return context.printJson(preview)
      const { deliveries_considered: considered, changes, ...foreseen } = preview
      const now = Date.now()
      const rows = changes.map((change) => [
        change.delivery_id,
        ago(change.received_at, now),
        change.kind,
        change.ref ?? '',
        pipelinesOf(change.before),
        pipelinesOf(change.after),
      ])
      context.printTable(['delivery', 'received', 'event', 'ref', 'before', 'after'], rows)
      if (!foreseen.in_effect)
        context.printNote(`The override would not be in effect. ${foreseen.not_in_effect_because ?? ''}`)
      return context.printNote(`${changes.length} of ${considered} deliveries would have started something else.`)
    })
}

function pipelinesOf(runs: readonly { readonly pipeline: string; readonly scope: string }[]): string {
  return runs.length === 0 ? 'nothing' : runs.map(({ pipeline, scope }) => `${pipeline} in ${scope}`).join(', ')
}
