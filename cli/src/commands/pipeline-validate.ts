import type { DocumentProblem } from '@signalbox/contracts/pipelines'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import type { Command } from 'commander'
import { exitCode } from '../exit-codes.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { formatProblem, readDocument } from './pipeline-document.ts'

interface ValidateOptions extends ApiOptions {
  readonly team?: string
  readonly offline?: boolean
}

interface Verdict {
  readonly valid: boolean
  readonly errors: readonly DocumentProblem[]
  readonly warnings: readonly DocumentProblem[]
}

/** `pipeline validate`: every problem at once, each with its place. */
export function validateCommand(context: Context): Command {
  return apiCommand(
    'validate',
    'check documents; print `file:line:column directive message` for each problem, and exit 2 on errors',
  )
    .argument('<files...>', 'YAML files; - is the standard input')
    .option('-t, --team <path>', 'team whose profiles, secrets and scopes are checked too')
    .option('--offline', 'check only the document, without a control plane')
    .action(async (files: readonly string[], options: ValidateOptions) => {
      const results = []
      for (const file of files) {
        const document = await readDocument(context, file)
        const verdict = options.offline ? await checkHere(document) : await checkThere(context, document, options)
        results.push({ file, ...verdict })
      }
      if (results.some(({ valid }) => !valid)) context.finish(exitCode('usage'))
      if (options.json) return context.printJson(results)
      for (const { file, valid, errors, warnings } of results) {
        for (const problem of errors) context.printLine(formatProblem(file, problem))
        for (const problem of warnings) context.printLine(`${formatProblem(file, problem)} (warning)`)
        if (valid) context.printNote(`${file} is valid.`, 'good')
      }
    })
}

function checkThere(context: Context, document: string, options: ValidateOptions): Promise<Verdict> {
  const body = { document, team_path: options.team }
  return context.connect(options).call(pipelineRoutes.validatePipeline, { body })
}

/** Applies the server's rules in this process: the language is a package of its own. */
async function checkHere(document: string): Promise<Verdict> {
  const { parsePipeline } = await import('@signalbox/pipeline/document')
  const result = parsePipeline(document)
  return { valid: result.ok, errors: result.ok ? [] : result.problems, warnings: result.warnings }
}
