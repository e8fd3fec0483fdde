import type { LogEntry } from '@signalbox/contracts/logs'
import type { RunDetail } from '@signalbox/contracts/runs'
import type { Client } from '../client/client.ts'
import type { Context } from '../commands/context.ts'
import { CommandFailed } from '../errors.ts'
import { renderJson } from '../output/json.ts'
import { createProgress } from '../output/progress.ts'
import { usesColour } from '../output/style.ts'
import { followRun } from './follow.ts'
import type { Remark } from './narrator.ts'
import { createRenderer } from './render.ts'

interface Watching {
  /** The printed parts of the run; default: everything. */
  readonly show?: 'everything' | 'lines' | 'nothing'
  /** One line of JSON for each remark. */
  readonly json?: boolean | undefined
  /** Selects the printed log lines; default: all. */
  readonly wanted?: (entry: LogEntry) => boolean
}

/** Follows a run in the terminal to its end; answers the finished run. Ctrl-C stops watching, not the run. */
export async function watchRun(
  context: Context,
  client: Client,
  runId: string,
  { show = 'everything', json, wanted }: Watching = {},
): Promise<RunDetail> {
  const { surroundings, paint } = context
  const renderer = createRenderer(paint, usesColour(surroundings.env, surroundings.out.isTerminal))
  const interrupted = new AbortController()
  using progress = createProgress(surroundings.err)
  using _interrupts = surroundings.onInterrupt(() => interrupted.abort())
  const print = (remark: Remark): void => {
    if (remark.kind === 'run') progress.show(`${remark.run.status} ${remark.run.queue_reason ?? ''}`.trim())
    if (show === 'nothing' || (show === 'lines' && remark.kind !== 'line')) return
    if (remark.kind === 'line' && wanted?.(remark.entry) === false) return
    progress.hide()
    if (json) surroundings.out.write(`${renderJson(remark.kind === 'line' ? remark.entry : remark)}\n`)
    else surroundings.out.write(`${renderer.render(remark) ?? ''}\n`)
    if (remark.kind !== 'run') progress.show('running')
  }
  try {
    return await followRun(client, runId, print, { signal: interrupted.signal, lines: show !== 'nothing' })
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    throw new CommandFailed(
      'interrupted',
      'No longer watching; the run goes on.',
      `signalbox run cancel ${runId} ends it.`,
    )
  }
}
