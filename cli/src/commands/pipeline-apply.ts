import type { Pipeline } from '@signalbox/contracts/pipelines'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { formatProblem, readDocument } from './pipeline-document.ts'

/** `pipeline apply`: makes the pipeline, or its next version; a document that is wrong changes nothing. */
export function applyCommand(context: Context): Command {
  return apiCommand('apply', 'save documents; each one creates its pipeline or a new version of it')
    .argument('<files...>', 'YAML files; - is the standard input')
    .requiredOption('-t, --team <path>', 'team that owns them')
    .action(async (files: readonly string[], options: ApiOptions & { team: string }) => {
      const client = context.connect(options)
      const saved: Pipeline[] = []
      for (const file of files) {
        const document = await readDocument(context, file)
        const checked = await client.call(pipelineRoutes.validatePipeline, {
          body: { document, team_path: options.team },
        })
        if (!checked.valid) {
          for (const problem of checked.errors) context.printLine(formatProblem(file, problem))
          throw new CommandFailed(
            'usage',
            `${file} was not saved: ${checked.errors.length === 1 ? '1 error' : `${checked.errors.length} errors`}.`,
          )
        }
        const { pipeline, changed } = await savePipeline(client, options.team, document)
        saved.push(pipeline)
        for (const warning of checked.warnings) context.printNote(`${formatProblem(file, warning)} (warning)`)
        const what = changed ? 'is saved' : 'is unchanged'
        context.printNote(`${pipeline.identifier} ${what}, version ${pipeline.version}.`)
      }
      if (options.json) context.printJson(saved)
      context.finish(exitCode('success'))
    })
}

/** Creates the pipeline that the document names, or replaces it where it differs. */
export async function savePipeline(
  client: Client,
  teamPath: string,
  document: string,
): Promise<{ pipeline: Pipeline; changed: boolean }> {
  const params = { id: `${teamPath}/${await nameOf(document)}` }
  const body = { team_path: teamPath, document }
  const found = await client.find(pipelineRoutes.getPipeline, { params })
  if (!found) return { pipeline: await client.call(pipelineRoutes.createPipeline, { body }), changed: true }
  if (found.document === document) return { pipeline: found, changed: false }
  return { pipeline: await client.call(pipelineRoutes.replacePipeline, { params, body }), changed: true }
}

async function nameOf(document: string): Promise<string> {
  const { parse } = await import('yaml')
  const parsed: unknown = parse(document)
  return typeof parsed === 'object' && parsed !== null && 'name' in parsed ? String(parsed.name) : ''
}
