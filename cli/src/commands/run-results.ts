import type { RunComparison } from '@signalbox/contracts/runs'
import { resultRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import { formatDuration } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import { toneOf } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

export function outputsCommand(context: Context): Command {
  return apiCommand('outputs', 'show the final outputs of a run')
    .argument('<run>', 'id of the run')
    .argument('[name]', 'print only this output, unchanged')
    .action(async (id: string, name: string | undefined, options: ApiOptions) => {
      const client = context.connect(options)
      if (name !== undefined) {
        const output = await client.call(resultRoutes.getFinalOutput, { params: { id, name } })
        return options.json ? context.printJson(output) : printContent(context, output.content)
      }
      const outputs = await client.call(resultRoutes.listFinalOutputs, { params: { id } })
      if (options.json) return context.printJson(outputs)
      if (outputs.length === 0) return context.printNote(`Run ${id} has no final outputs, or none yet.`)
      for (const output of outputs) {
        context.printLine(context.paint('strong', escapeText(`${output.name} (${output.format})`)))
        context.printText(output.content)
      }
      return undefined
    })
}

export function taskOutputsCommand(context: Context): Command {
  return apiCommand('task-outputs', 'show the outputs of tasks; sensitive values are never shown')
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const outputs = await context.connect(options).call(resultRoutes.listRunOutputs, { params: { id } })
      if (options.json) return context.printJson(outputs)
      const rows = outputs.map(({ step, task, name, value }) => [`${step}/${task}`, name, value ?? '(sensitive)'])
      return context.printTable(['task', 'output', 'value'], rows)
    })
}

export function compareCommand(context: Context): Command {
  return apiCommand('compare', 'compare two runs: document, variables, commit, runners, durations, results')
    .argument('<run>', 'id of the first run')
    .argument('<other>', 'id of the second run')
    .action(async (id: string, other: string, options: ApiOptions) => {
      const comparison = await context.connect(options).call(resultRoutes.compareRuns, { params: { id, other } })
      if (options.json) return context.printJson(comparison)
      return showComparison(context, comparison)
    })
}

function showComparison(context: Context, { left, right, document, variables, tasks }: RunComparison): void {
  const row = (name: string, of: (side: RunComparison['left']) => string | null) => [
    name,
    of(left) ?? '',
    of(right) ?? '',
  ]
  context.printTable(
    ['', 'left', 'right'],
    [
      row('run', (side) => side.run_id),
      row('status', (side) => side.status),
      row('reason', (side) => side.reason),
      row('version', (side) => String(side.pipeline_version)),
      row('scope', (side) => side.scope),
      row('commit', (side) => side.commit_sha),
      row('waited', (side) => time(side.waited_ms)),
      row('took', (side) => time(side.took_ms)),
      ...variables.map((variable) => [variable.name, variable.left ?? '', variable.right ?? '']),
    ],
  )
  context.printLine('')
  context.printTable(
    ['step/task', 'left', 'took', 'runner', 'right', 'took', 'runner'],
    tasks.map(({ step, task, left: one, right: two }) => [`${step}/${task}`, ...cellsOf(one), ...cellsOf(two)]),
  )
  if (document.diff === null) return context.printFields([['document', 'the same']])
  context.printLine('')
  return context.printText(document.diff)
}

/** A file or a program gets the raw text; a terminal must not obey it. */
function printContent(context: Context, content: string): void {
  if (context.surroundings.out.isTerminal) context.printText(content)
  else context.printLine(content)
}

function cellsOf(task: RunComparison['tasks'][number]['left']) {
  if (!task) return ['', '', '']
  return [{ text: task.status ?? '', tone: toneOf(task.status ?? '') }, time(task.took_ms), task.runner ?? '']
}

function time(ms: number | null): string {
  return ms === null ? '' : formatDuration(ms)
}

/** For scripts: the id alone. */
export function lastSuccessCommand(context: Context): Command {
  return apiCommand(
    'last-success',
    'print the newest success of the pipeline before a run, of its branch if there is one',
  )
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const found = await context.connect(options).call(resultRoutes.getLastSuccess, { params: { id } })
      if (options.json) return context.printJson(found)
      if (found.match !== 'same_branch') context.printNote('It is of another branch or scope than the run.')
      return context.printLine(found.run.run_id)
    })
}
