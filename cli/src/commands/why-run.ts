import type { RunExplanation } from '@signalbox/contracts/dispatch'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import type { RunChanges } from '@signalbox/contracts/runs'
import { resultRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import { formatDuration } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import { runIdOf } from '../runs/run-address.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printFindings } from './findings.ts'

const RUN = 'id of the run, or the address of its page'

/** `why run`: why it waits, what it does, or what became of it; and what to do. */
export function whyRunCommand(context: Context): Command {
  return apiCommand('run', 'explain why a run waits, what it does, or what became of it; and what to do')
    .argument('<run>', RUN)
    .action(async (run: string, options: ApiOptions) => {
      const query = { run_id: runIdOf(run) }
      const found = await context.connect(options).call(dispatchRoutes.explainRun, { query })
      return options.json ? context.printJson(found) : printRun(context, found)
    })
}

function printRun(context: Context, found: RunExplanation): void {
  printFindings(context, found.findings)
  for (const { about, text } of found.quotes) context.printFields([[about, text]])
  if (found.runners.length > 0) {
    context.printLine('')
    const rows = found.runners.map(({ verdict, count, runners }) => [
      String(count),
      runners.map(({ name }) => name).join(', '),
      verdict,
    ])
    context.printTable(['runners', 'such as', 'verdict'], rows)
  }
  if (found.what_to_do.length > 0) {
    context.printLine('What to do:')
    printFindings(context, found.what_to_do)
  }
  if (found.left_out.length > 0) context.printNote(`Left out, for lack of a permission: ${found.left_out.join(', ')}.`)
}

/** `why changes`: what is different about a run, beside the last success before it or another run. */
export function whyChangesCommand(context: Context): Command {
  return apiCommand('changes', 'explain what is different about a run since the last success of its pipeline')
    .argument('<run>', RUN)
    .option('--with <run>', 'compare with this run instead of the last success')
    .action(async (run: string, options: ApiOptions & { readonly with?: string }) => {
      const other = options.with === undefined ? undefined : runIdOf(options.with)
      const query = { run_id: runIdOf(run), with: other }
      const found = await context.connect(options).call(resultRoutes.explainChanges, { query })
      return options.json ? context.printJson(found) : printChanges(context, found)
    })
}

function printChanges(context: Context, found: RunChanges): void {
  context.printFields([
    ['run', found.run_id],
    ['beside', found.match === null ? found.with : `${found.with} (${found.match.replace('_', ' ')})`],
    [
      'commit',
      found.commit_sha.was === found.commit_sha.is
        ? undefined
        : `${found.commit_sha.is ?? 'none'}, was ${found.commit_sha.was ?? 'none'}`,
    ],
    ...found.variables.map(({ name, was, is }) => [name, `${is ?? '(unset)'}, was ${was ?? '(unset)'}`] as const),
  ])
  context.printLine('')
  printFindings(context, found.findings)
  if (found.tasks.length > 0) {
    context.printLine('')
    const rows = found.tasks.map(({ step, task, was, is }) => [`${step}/${task}`, ...cells(was), ...cells(is)])
    context.printTable(['step/task', 'was', 'took', 'runner', 'is', 'took', 'runner'], rows)
  }
  if (found.document_diff === null) return undefined
  context.printLine('')
  return context.printText(found.document_diff)
}

function cells(side: RunChanges['tasks'][number]['is']) {
  if (!side) return ['', '', '']
  const took = side.took_ms === null ? '' : formatDuration(side.took_ms)
  return [{ text: side.status, tone: toneOf(side.status) }, took, side.runner ?? '']
}
