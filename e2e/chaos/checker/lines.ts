import { type AttemptSeen, type History, type LineSeen, nameOf } from '../history.ts'
import type { Violation } from './violation.ts'

/** The runner itself has said how these ended, so it has sent all that they wrote. */
const TOLD = ['success', 'failure']

/** I6. */
export function checkLines(history: History): Violation[] {
  return [...checkNumbers(history), ...checkWhole(history), ...checkStreams(history), ...checkSecrets(history)]
}

/** Numbered from 0 without a gap, and what the task counted is counted so. */
function checkNumbers({ stored }: History): Violation[] {
  return [...stored.logs].flatMap(([name, lines]): Violation[] => {
    const wrong = lines.findIndex((line, at) => line.number !== at && line.stream !== 'gap')
    if (wrong >= 0) {
      return [{ invariant: 'I6', what: `line ${lines[wrong]?.number} stands at place ${wrong}`, ids: [name] }]
    }
    const counted = countedBy(lines)
    const at = counted.findIndex((number, place) => number !== place)
    return at < 0 ? [] : [{ invariant: 'I6', what: `the task's ${counted[at]} stands at place ${at}`, ids: [name] }]
  })
}

/** A task marks each line in a file of ours after it has written it. */
function checkWhole({ seen, stored }: History): Violation[] {
  const written = new Map<string, number>()
  for (const one of seen) {
    if (one.kind !== 'effect') continue
    const name = nameOf(one.effect)
    if (one.effect.mark === 'begin') written.set(name, 0)
    if (one.effect.mark === 'work') written.set(name, (written.get(name) ?? 0) + 1)
  }
  return stored.attempts
    .filter((attempt) => isTold(attempt))
    .flatMap((attempt): Violation[] => {
      const name = nameOf(attempt)
      const expected = written.get(name) ?? 0
      const lines = stored.logs.get(name) ?? []
      const gap = lines.some(({ stream }) => stream === 'gap')
      const found = countedBy(lines).length
      if (found >= expected && !gap) return []
      const what = `${found} of ${expected} lines of an attempt that was ${attempt.status}${gap ? ', with a gap' : ''}`
      return [{ invariant: 'I6', what, ids: [name] }]
    })
}

/** A stream tells each line once and in order, across its interruptions, and tells the stored lines. */
function checkStreams({ seen, stored }: History): Violation[] {
  const told = seen.flatMap((one) => (one.kind === 'line' ? [{ stream: one.stream, line: one.line }] : []))
  const streams = Map.groupBy(told, ({ stream, line }) => `${stream} ${nameOf(line)}`)
  return [...streams.values()].flatMap((entries): Violation[] => {
    const [first] = entries
    if (!first) return []
    const name = nameOf(first.line)
    const lines = stored.logs.get(name) ?? []
    const wrong = entries.find(({ line }, at) => line.number !== at || lines[at]?.text !== line.text)
    if (!wrong) return []
    const { number, text } = wrong.line
    return [
      { invariant: 'I6', what: `a stream told line ${number} (${text}), and not in its turn or not so`, ids: [name] },
    ]
  })
}

function checkSecrets({ stored, seen, secrets }: History): Violation[] {
  const shows = (text: string): boolean => secrets.some((secret) => text.includes(secret))
  const logs = [...stored.logs].filter(([, lines]) => lines.some(({ text }) => shows(text))).map(([name]) => name)
  const outputs = [...stored.outputs].filter(([, output]) => shows(output)).map(([name]) => name)
  const streams = seen.flatMap((one) => (one.kind === 'line' && shows(one.line.text) ? [nameOf(one.line)] : []))
  return [...new Set([...logs, ...outputs, ...streams])].map((name) => ({
    invariant: 'I6',
    what: 'a log shows a secret',
    ids: [name],
  }))
}

/** The numbers of the lines `line <number> ...`, as they stand. */
function countedBy(lines: readonly LineSeen[]): number[] {
  return lines.flatMap(({ text }) => {
    const number = /^line (\d+)\b/.exec(text)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

function isTold({ status }: AttemptSeen): boolean {
  return TOLD.includes(status)
}
