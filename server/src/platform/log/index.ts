import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/** Static message plus fields: `log.info({ runId }, 'run finished')`. */
export type Log = Logger

export interface LogOptions {
  readonly level: string
  readonly pretty: boolean
  readonly destination?: DestinationStream
}

/** Names under which a secret might be logged by mistake; redaction is at the sink, so that no caller can forget it. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'token', 'credential', 'private_key', 'value']

const PRETTY = {
  destination: 2,
  translateTime: 'SYS:HH:MM:ss.l',
  messageFormat: '{component}: {msg}',
  ignore: 'component',
  singleLine: true,
}

/** Lines with `time`, `level`, `component`, `msg` and fields in snake_case, as the runner writes them too. */
export function createLog(options: LogOptions): Log {
  const paths = SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `headers["${name}"]`])
  const settings = {
    level: options.level,
    redact: { paths, censor: '***' },
    base: { component: 'server' },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: inSnakeCase },
  }
  if (options.destination) return pino(settings, options.destination)
  if (!options.pretty) return pino(settings, pino.destination({ dest: 2, sync: true }))
  return pino({ ...settings, transport: { target: 'pino-pretty', options: { ...PRETTY, sync: true } } })
}

function inSnakeCase(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}
