import type { FailureExplanation, FailureRoot, RelevantLines } from '@signalbox/contracts/logs'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import type { Command } from 'commander'
import { escapeLogLine, escapeText } from '../output/escape.ts'
import { runIdOf } from '../runs/run-address.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printFindings } from './findings.ts'

const HOW = {
  new_lines: 'Lines that no recent success of this task had:',
  error_lines: 'Lines that look like errors:',
  tail: 'The last lines:',
  none: 'The log has no lines.',
} as const

/** `why failure`: what failed by itself, and the lines of its log that tell why. */
export function whyFailureCommand(context: Context): Command {
  return apiCommand('failure', 'explain why a run failed: what failed by itself, and the lines that tell why')
    .argument('<run>', 'id of the run, or the address of its page')
    .action(async (run: string, options: ApiOptions) => {
      const query = { run_id: runIdOf(run) }
      const found = await context.connect(options).call(logRoutes.explainFailure, { query })
      return options.json ? context.printJson(found) : printFailure(context, found)
    })
}

function printFailure(context: Context, found: FailureExplanation): void {
  printFindings(context, found.findings)
  if (found.roots.length === 0) printReason(context, found.reason)
  for (const root of found.roots) printRoot(context, root)
  if (found.more_roots > 0) context.printNote(`${found.more_roots} more failed by themselves.`)
  if (found.left_out.length > 0) context.printNote(`Left out, for lack of a permission: ${found.left_out.join(', ')}.`)
}

function printRoot(context: Context, root: FailureRoot): void {
  context.printLine('')
  const place = root.task === null ? root.step : `${root.step}/${root.task}`
  context.printLine(context.paint('strong', escapeText(place)))
  if (root.through.length > 0) {
    const through = root.through.map(({ step, task }) => `${step}/${task}`).join(', ')
    context.printLine(escapeText(`In run ${root.run_id}, by ${through}.`))
  }
  printFindings(context, root.findings)
  printReason(context, root.reason)
  printFindings(context, root.what_to_do)
  if (root.lines) printLines(context, root, root.lines)
}

function printReason(context: Context, reason: string | null): void {
  if (reason !== null) context.printFields([['reason', reason]])
}

/** Numbers as wide as the last one; a gap in them is marked. */
function printLines(context: Context, root: FailureRoot, { how, lines, left, cut }: RelevantLines): void {
  context.printLine(HOW[how])
  const width = String(lines.at(-1)?.number ?? 0).length
  let next = lines[0]?.number
  for (const { number, text, new: isNew, error } of lines) {
    if (number !== next) context.printLine(`  ${' '.repeat(width)}  ...`)
    const mark = isNew || error ? '>' : ' '
    context.printLine(`${mark} ${String(number).padStart(width)}  ${escapeLogLine(text, false)}`)
    next = number + 1
  }
  if (left > 0) context.printNote(`${left} more such lines are not shown.`)
  if (cut) context.printNote('The log is long: only a part of it was compared.')
  const where = root.task === null ? '' : ` --step ${root.step} --task ${root.task}`
  context.printNote(escapeText(`All lines: signalbox run logs ${root.run_id}${where}`))
}
