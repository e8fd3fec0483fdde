import type { Command } from 'commander'
import { pipeline, pipelineSummary, validation } from '../client/answers.ts'
import { type Client, segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printLine, printNote } from './context.ts'
import { formatProblem, readDocument } from './pipeline-document.ts'

/** `pipeline apply`: makes the pipeline, or its next version; a document that is wrong changes nothing. */
export function applyCommand(context: Context): Command {
  return apiCommand('apply', 'save documents: each makes its pipeline, or the next version of it')
    .argument('<files...>', 'YAML files; - is the standard input')
    .requiredOption('-t, --team <path>', 'team that owns them')
    .action(async (files: readonly string[], options: ApiOptions & { team: string }) => {
      const client = clientOf(context, options)
      const saved: unknown[] = []
      for (const file of files) {
        const document = await readDocument(context, file)
        const checked = await client.post('/v1/pipelines/validate', validation, {
          body: { document, team_path: options.team },
        })
        if (!checked.valid) {
          for (const problem of checked.errors) printLine(context, formatProblem(file, problem))
          throw new CommandFailed('usage', `${file} was not saved: ${checked.errors.length} of its lines are wrong.`)
        }
        const answer = await savePipeline(client, options.team, document)
        saved.push(answer)
        const result = pipeline(answer, 'pipeline')
        for (const warning of checked.warnings) printNote(context, `${formatProblem(file, warning)} (warning)`)
        printNote(context, `${result.identifier} is saved, version ${result.version}.`)
      }
      if (options.json) printJson(context, saved)
      context.finish(exitCode('success'))
    })
}

/** Creates the pipeline that the document names, or replaces it where it exists. Answers it as the API does. */
export async function savePipeline(client: Client, teamPath: string, document: string): Promise<unknown> {
  const name = await nameOf(document)
  const known = await client.list('/v1/pipelines', pipelineSummary, 10_000, { query: { team_path: teamPath } })
  const identifier = `${teamPath}/${name}`
  const body = { team_path: teamPath, document }
  if (known.some((each) => each.identifier === identifier)) {
    return (await client.request('PUT', `/v1/pipelines/${segment(identifier)}`, { body })).body
  }
  return client.post('/v1/pipelines', anything, { body })
}

async function nameOf(document: string): Promise<string> {
  const { parse } = await import('yaml')
  const parsed: unknown = parse(document)
  return typeof parsed === 'object' && parsed !== null && 'name' in parsed ? String(parsed.name) : ''
}
