import { overrideRoutes } from '@signalbox/contracts/overrides/routes'
import type { Command } from 'commander'
import { exitCode } from '../exit-codes.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { formatProblem, readDocument } from './pipeline-document.ts'

/** `override validate`: every problem at once, each with its place. */
export function validateCommand(context: Context): Command {
  return apiCommand(
    'validate',
    'check documents; print `file:line:column field message` for each problem, and exit 2 on errors',
  )
    .argument('<files...>', 'YAML files; - is the standard input')
    .action(async (files: readonly string[], options: ApiOptions) => {
      const client = context.connect(options)
      const results = []
      for (const file of files) {
        const raw = { contentType: 'application/yaml', text: await readDocument(context, file) }
        results.push({ file, ...(await client.call(overrideRoutes.validateOverride, { raw })) })
      }
      if (results.some(({ valid }) => !valid)) context.finish(exitCode('usage'))
      if (options.json) return context.printJson(results)
      for (const { file, valid, errors, warnings } of results) {
        for (const fault of errors) context.printLine(formatProblem(file, { ...fault, directive: fault.field }))
        for (const fault of warnings) {
          context.printLine(`${formatProblem(file, { ...fault, directive: fault.field })} (warning)`)
        }
        if (valid) context.printNote(`${file} is valid.`, 'good')
      }
    })
}
