import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import pretty from 'pino-pretty'

/** The runner's own diary; fields are in snake_case and never hold secrets. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
}

type Fields = Readonly<Record<string, string | number | bigint | boolean>>

/** The format of the control plane's lines on a terminal. */
const PRETTY = {
  translateTime: 'SYS:HH:MM:ss.l',
  messageFormat: '{component}: {msg}',
  ignore: 'component',
  singleLine: true,
  sync: true,
}

/** To standard error: for a person on a terminal, otherwise one line of JSON for each record. */
export function openLog(isTerminal: boolean): Log {
  return logTo(isTerminal ? pretty({ ...PRETTY, destination: 2 }) : pino.destination({ dest: 2, sync: true }))
}

/** One line of JSON for each record, to `write`: `time`, `level`, `component`, `msg`, fields, as the control plane. */
export function createLog(write: (line: string) => void): Log {
  return logTo({ write })
}

function logTo(destination: DestinationStream): Log {
  const settings = {
    base: { component: 'runner' },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const log = pino(settings, destination)
  return {
    info: (message, fields) => log.info(printable(fields), message),
    warn: (message, fields) => log.warn(printable(fields), message),
  }
}

/** Numbers of 64 bits are written as text: readers of JSON would round them. */
function printable(fields: Fields = {}): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )
}
