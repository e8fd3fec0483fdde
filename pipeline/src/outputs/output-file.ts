import { OUTPUT_LIMITS } from './limits.ts'
import { isOutputName } from './template.ts'

export interface OutputFile {
  /** By name; a name that is written twice keeps its last value. */
  readonly outputs: Readonly<Record<string, string>>
  /** One sentence for each line that could not be used, with its number. */
  readonly problems: readonly string[]
}

/**
 * Reads the file that a task wrote to `$SIGNALBOX_OUTPUT`: lines `name=value`, and for values of several lines
 *
 *     name<<EOF
 *     first
 *     second
 *     EOF
 *
 * Blank lines are skipped. Line ends may be LF or CRLF. Never throws; faulty entries are left out and named.
 */
export function parseOutputFile(text: string): OutputFile {
  const outputs = new Map<string, string>()
  const problems: string[] = []
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  let total = 0

  const record = (name: string, value: string, line: number) => {
    const bytes = utf8Length(value)
    if (!isOutputName(name)) {
      const shown = JSON.stringify(name.slice(0, 80))
      problems.push(
        `line ${line}: ${shown} is no output name; use letters, digits, _ and -, starting with a letter or _`,
      )
    } else if (value.includes('\0')) {
      problems.push(`line ${line}: the value of ${name} holds a NUL character; encode it, for example with base64`)
    } else if (bytes > OUTPUT_LIMITS.valueBytes) {
      problems.push(
        `line ${line}: the value of ${name} has ${bytes} bytes; at most ${OUTPUT_LIMITS.valueBytes} are kept`,
      )
    } else if (total + bytes > OUTPUT_LIMITS.totalBytes) {
      problems.push(
        `line ${line}: ${name} is dropped, for all outputs together may have ${OUTPUT_LIMITS.totalBytes} bytes`,
      )
    } else if (!outputs.has(name) && outputs.size === OUTPUT_LIMITS.count) {
      problems.push(`line ${line}: ${name} is dropped, for a task may write ${OUTPUT_LIMITS.count} outputs`)
    } else {
      total += bytes - utf8Length(outputs.get(name) ?? '')
      outputs.set(name, value)
    }
  }

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (heredoc !== -1 && (equals === -1 || heredoc < equals)) {
      const delimiter = line.slice(heredoc + 2)
      const end = delimiter === '' ? -1 : lines.indexOf(delimiter, at + 1)
      if (end === -1) {
        const wanted = delimiter === '' ? 'a delimiter after <<, such as <<EOF' : `a line ${delimiter} after the value`
        problems.push(
          `line ${at + 1}: ${JSON.stringify(line.slice(0, 80))} needs ${wanted}; the rest of the file is not read`,
        )
        break
      }
      record(line.slice(0, heredoc), lines.slice(at + 1, end).join('\n'), at + 1)
      at = end
    } else if (equals !== -1) record(line.slice(0, equals), line.slice(equals + 1), at + 1)
    else problems.push(`line ${at + 1}: ${JSON.stringify(line.slice(0, 80))} is neither name=value nor name<<EOF`)
  }
  return { outputs: Object.fromEntries(outputs), problems }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
