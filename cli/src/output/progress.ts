import type { Output } from '../surroundings.ts'
import { escapeText } from './escape.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
const CLEAR_LINE = '\r\u001b[K'

/** One line that moves while something is awaited; nothing without a terminal. */
export interface Progress extends Disposable {
  /** Shows the text of the present wait. */
  show(text: string): void
  /** Takes the line away, so that something else can be printed; the next `show` brings it back. */
  hide(): void
}

export function createProgress(output: Output): Progress {
  if (!output.isTerminal) return { show: () => undefined, hide: () => undefined, [Symbol.dispose]: () => undefined }
  let text = ''
  let visible = false
  let frame = 0
  const draw = (): void => {
    const line = `${FRAMES[frame % FRAMES.length] ?? ''} ${text}`
    output.write(`${CLEAR_LINE}${line.slice(0, output.columns - 1)}`)
  }
  const timer = setInterval(() => {
    frame += 1
    if (visible) draw()
  }, FRAME_MS)
  timer.unref()
  const hide = (): void => {
    if (visible) output.write(CLEAR_LINE)
    visible = false
  }
  return {
    show(next) {
      text = escapeText(next)
      visible = true
      draw()
    },
    hide,
    [Symbol.dispose]() {
      clearInterval(timer)
      hide()
    },
  }
}
