import { liveRoutes } from '@signalbox/contracts/live/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { renderJson } from '../output/json.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

interface LiveOptions extends ApiOptions {
  readonly topics: string
}

/** The last event of a stream whose right is gone, or cannot be known. */
const CLOSED = 'closed'

export function liveCommand(context: Context): Command {
  return apiCommand('live', 'print what changes, one line of JSON for each event; Ctrl-C ends it')
    .requiredOption(
      '--topics <topics>',
      'separated by commas: runs:<team>, run:<id>, deliveries:<source id>, approvals, runners, schedules:<team>',
    )
    .action(async (options: LiveOptions) => {
      const { surroundings } = context
      const interrupted = new AbortController()
      using _interrupts = surroundings.onInterrupt(() => interrupted.abort())
      const query = { topics: options.topics }
      const watching = { signal: interrupted.signal, endsWith: CLOSED }
      for await (const { event, data } of context
        .connect(options)
        .events(liveRoutes.followChanges, { query }, watching)) {
        surroundings.out.write(`${renderJson({ event, ...(typeof data === 'object' ? data : {}) })}\n`)
        if (event === CLOSED)
          throw new CommandFailed('refused', 'The control plane ended the stream: its last line says why.')
      }
    })
}
