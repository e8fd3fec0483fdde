import type { RunDryRun } from '@signalbox/contracts/runs'
import type { Command } from 'commander'
import { toneOf } from '../output/style.ts'
import type { ApiOptions, Context } from './context.ts'
import { printFindings } from './findings.ts'

export interface DryRunOptions extends ApiOptions {
  readonly dryRun?: boolean
}

export function withDryRun(command: Command): Command {
  return command.option('--dry-run', 'judge all of it and say what would happen; change nothing')
}

/** The query of a write that may be tried. */
export function dryRunQuery({ dryRun }: DryRunOptions): { readonly dry_run?: true } {
  return dryRun ? { dry_run: true } : {}
}

/** A write that was done answers more than a dry run. */
export function isDryRun<Answer extends object>(answer: Answer | RunDryRun): answer is RunDryRun {
  return 'effects' in answer
}

export function printDryRun(context: Context, dry: RunDryRun, { json }: DryRunOptions): void {
  if (json) return context.printJson(dry)
  const variables = Object.entries(dry.variables).map(([name, value]) => `${name}=${value}`)
  context.printFields([
    ['pipeline', `${dry.pipeline}, version ${dry.pipeline_version}`],
    ['scope', dry.protected ? `${dry.scope} (protected)` : dry.scope],
    ['status', { text: dry.status, tone: toneOf(dry.status) }],
    ['reason', dry.reason ?? undefined],
    ['commit', dry.commit_sha ?? undefined],
    ['group', dry.concurrency_group ?? undefined],
    ['variables', [...variables, ...dry.secret_variables.map((name) => `${name}=(secret)`)].join(', ') || undefined],
    ['would end', dry.others.map(({ run_id: id }) => id).join(', ') || undefined],
  ])
  context.printLine('')
  printFindings(context, dry.effects)
  context.printNote('Nothing was changed.')
}
