import type { Command } from 'commander'
import { anything, object, orNull, text } from '../client/shape.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printNote } from './context.ts'
import { readDocument } from './pipeline-document.ts'

const posted = object({ status: orNull(text), run_id: orNull(text) })

export function eventCommand(context: Context): Command {
  return group('event', 'events of Git that no webhook tells of', [
    apiCommand('post', 'post an event in the words of Signalbox; triggers decide what it starts')
      .argument('<file>', 'JSON document of the event; - is the standard input')
      .action(async (file: string, options: ApiOptions) => {
        const raw = { contentType: 'application/json', text: await readDocument(context, file) }
        const answer = await clientOf(context, options).post('/v1/git/events', anything, { raw })
        if (options.json) return printJson(context, answer)
        const { status, run_id: runId } = posted(answer, 'answer')
        return printNote(context, runId === null ? `The event is ${status ?? 'taken'}.` : `It starts the run ${runId}.`)
      }),
  ])
}
