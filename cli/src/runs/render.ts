import { between } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import { markOf, type Paint, type Tone, toneOf } from '../output/style.ts'
import type { Remark } from './narrator.ts'
import { renderText } from './render-entry.ts'

const TASK_TONES: readonly Tone[] = ['accent', 'strong', 'plain']

export interface RemarkRenderer {
  /** The line to print for a remark; undefined: nothing. */
  render(remark: Remark): string | undefined
}

/** Remarks as lines: `build/unit │ line`, with one tone per task, so that parallel tasks can be told apart. */
export function createRenderer(paint: Paint, colours: boolean, now: () => number = Date.now): RemarkRenderer {
  const tones = new Map<string, Tone>()
  const label = (step: string, task: string): string => {
    const name = `${step}/${task}`
    const tone = tones.get(name) ?? TASK_TONES[tones.size % TASK_TONES.length] ?? 'plain'
    tones.set(name, tone)
    return paint(tone, escapeText(name))
  }
  let queued = false
  const status = (word: string): string => paint(toneOf(word), `${markOf(word)} ${word}`)
  return {
    render(remark) {
      switch (remark.kind) {
        case 'run': {
          // Why a run waits is worth a word once it does: for a moment every run does.
          const { run } = remark
          const queueReason = queued ? run.queue_reason : null
          queued = run.status === 'queued'
          const why = queued ? queueReason : run.reason
          const time = run.finished_at === null ? '' : between(run.started_at ?? run.queued_at, run.finished_at, now())
          const quiet = paint('quiet', `${time}  ${escapeText(why ?? '')}`.trim())
          return `${paint('strong', 'run')} ${status(run.status)} ${quiet}`.trimEnd()
        }
        case 'step': {
          const why = reasonOf(remark)
          const name = paint('strong', `step ${escapeText(remark.step)}`)
          return `${name} ${status(remark.status)} ${paint('quiet', why)}`.trimEnd()
        }
        case 'task_started': {
          const again = remark.attempt > 1 ? ` (attempt ${remark.attempt})` : ''
          return `${label(remark.step, remark.task)} ${paint('quiet', `started${again}`)}`
        }
        case 'line':
          return `${label(remark.entry.step, remark.entry.task)} ${paint('quiet', '│')} ${renderText(remark.entry, paint, colours)}`
        case 'task_ended': {
          const { task } = remark
          const time = between(task.started_at, task.finished_at, now())
          const why = paint('quiet', `${time}  ${reasonOf(task)}`.trim())
          return `${label(remark.step, task.name)} ${status(task.status)} ${why}`.trimEnd()
        }
        default: {
          const never: never = remark
          return never
        }
      }
    },
  }
}

/** The reason, which need not say the status again. */
function reasonOf({ status, reason }: { readonly status: string; readonly reason: string | null }): string {
  const text = reason ?? ''
  return escapeText(text.startsWith(`${status}: `) ? text.slice(status.length + 2) : text)
}
