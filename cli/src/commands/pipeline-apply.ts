import type { Command } from 'commander'
import { pipeline, validation } from '../client/answers.ts'
import { type Client, segment } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
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
          throw new CommandFailed(
            'usage',
            `${file} was not saved: ${checked.errors.length === 1 ? '1 error' : `${checked.errors.length} errors`}.`,
          )
        }
        const { answer, changed } = await savePipeline(client, options.team, document)
        saved.push(answer)
        const result = pipeline(answer, 'pipeline')
        for (const warning of checked.warnings) printNote(context, `${formatProblem(file, warning)} (warning)`)
        const what = changed ? 'is saved' : 'is unchanged'
        printNote(context, `${result.identifier} ${what}, version ${result.version}.`)
      }
      if (options.json) printJson(context, saved)
      context.finish(exitCode('success'))
    })
}

/** Creates the pipeline that the document names, or replaces it where it differs. `answer` is the pipeline. */
export async function savePipeline(
  client: Client,
  teamPath: string,
  document: string,
): Promise<{ answer: unknown; changed: boolean }> {
  const path = `/v1/pipelines/${segment(`${teamPath}/${await nameOf(document)}`)}`
  const body = { team_path: teamPath, document }
  const found = await client.get(path, anything).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return undefined
    throw error
  })
  if (found === undefined) return { answer: await client.post('/v1/pipelines', anything, { body }), changed: true }
  if (pipeline(found, 'pipeline').document === document) return { answer: found, changed: false }
  return { answer: (await client.request('PUT', path, { body })).body, changed: true }
}

async function nameOf(document: string): Promise<string> {
  const { parse } = await import('yaml')
  const parsed: unknown = parse(document)
  return typeof parsed === 'object' && parsed !== null && 'name' in parsed ? String(parsed.name) : ''
}
