import { eventRoutes } from '@signalbox/contracts/events/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printNote } from './context.ts'
import { readDocument } from './pipeline-document.ts'

export function eventCommand(context: Context): Command {
  return group('event', 'Git events that no webhook reports', [
    apiCommand('post', 'post an event in the format of Signalbox; triggers decide what it starts')
      .argument('<file>', 'JSON document of the event; - is the standard input')
      .action(async (file: string, options: ApiOptions) => {
        const raw = { contentType: 'application/json', text: await readDocument(context, file) }
        const answer = await clientOf(context, options).call(eventRoutes.postGitEvent, { raw })
        if (options.json) return printJson(context, answer)
        const started = 'run_id' in answer
        return printNote(context, started ? `It starts the run ${answer.run_id}.` : `The event is ${answer.status}.`)
      }),
  ])
}
