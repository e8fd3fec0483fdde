import type { Command } from 'commander'
import { segment } from '../client/client.ts'
import { type Comparison, comparison, finalOutput, taskOutput } from '../client/run-answers.ts'
import { anything, list } from '../client/shape.ts'
import { formatDuration } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import { toneOf } from '../output/style.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  printFields,
  printJson,
  printLine,
  printNote,
  printTable,
} from './context.ts'

export function outputsCommand(context: Context): Command {
  return apiCommand('outputs', 'what was made of a run once it was over')
    .argument('<run>', 'id of the run')
    .argument('[name]', 'only this one, as it is')
    .action(async (id: string, name: string | undefined, options: ApiOptions) => {
      const client = clientOf(context, options)
      const path = `/v1/runs/${segment(id)}/final-outputs`
      const answer = await client.get(name === undefined ? path : `${path}/${segment(name)}`, anything)
      if (options.json) return printJson(context, answer)
      if (name !== undefined) return printContent(context, finalOutput(answer, 'output').content)
      const outputs = list(finalOutput)(answer, 'outputs')
      if (outputs.length === 0) return printNote(context, `Run ${id} has no final outputs, or none yet.`)
      for (const output of outputs) {
        printLine(context, context.paint('strong', escapeText(`${output.name} (${output.format})`)))
        printText(context, output.content)
      }
      return undefined
    })
}

export function taskOutputsCommand(context: Context): Command {
  return apiCommand('task-outputs', 'what its tasks handed on to later ones; sensitive values are never told')
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const answer = await clientOf(context, options).get(`/v1/runs/${segment(id)}/outputs`, anything)
      if (options.json) return printJson(context, answer)
      const rows = list(taskOutput)(answer, 'outputs').map(({ step, task, name, value }) => [
        `${step}/${task}`,
        name,
        value ?? '(sensitive)',
      ])
      return printTable(context, ['task', 'output', 'value'], rows)
    })
}

export function compareCommand(context: Context): Command {
  return apiCommand('compare', 'how two runs differ: document, variables, commit, runners, durations, outcome')
    .argument('<run>', 'id of the one')
    .argument('<other>', 'id of the other')
    .action(async (id: string, other: string, options: ApiOptions) => {
      const path = `/v1/runs/${segment(id)}/compare/${segment(other)}`
      const answer = await clientOf(context, options).get(path, anything)
      if (options.json) return printJson(context, answer)
      return showComparison(context, comparison(answer, 'comparison'))
    })
}

function showComparison(context: Context, { left, right, document, variables, tasks }: Comparison): void {
  const row = (name: string, of: (side: Comparison['left']) => string | null) => [name, of(left) ?? '', of(right) ?? '']
  printTable(
    context,
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
  printLine(context, '')
  printTable(
    context,
    ['step/task', 'left', 'took', 'runner', 'right', 'took', 'runner'],
    tasks.map(({ step, task, left: one, right: two }) => [`${step}/${task}`, ...cellsOf(one), ...cellsOf(two)]),
  )
  if (document.diff === null) return printFields(context, [['document', 'the same']])
  printLine(context, '')
  return printText(context, document.diff)
}

/** As it is for a file or a program; a terminal is not to obey it. */
function printContent(context: Context, content: string): void {
  if (context.surroundings.out.isTerminal) printText(context, content)
  else printLine(context, content)
}

function printText(context: Context, text: string): void {
  for (const line of text.trimEnd().split('\n')) printLine(context, escapeText(line))
}

function cellsOf(task: Comparison['tasks'][number]['left']) {
  if (!task) return ['', '', '']
  return [{ text: task.status ?? '', tone: toneOf(task.status ?? '') }, time(task.took_ms), task.runner ?? '']
}

function time(ms: number | null): string {
  return ms === null ? '' : formatDuration(ms)
}
